import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openapitools.client.*;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

public class Tour {
  static final String DOCUMENT = "12345678909";
  static final String TOUR = System.getenv("COFRE_TOUR");
  static final long SELLER = Long.parseLong(System.getenv("COFRE_SELLER"));
  static final String BEARER = "Bearer " + System.getenv("COFRE_TOKEN");
  static final ApiClient CLIENT = new ApiClient();

  static {
    CLIENT.updateBaseUri(System.getenv("COFRE_URL"));
    CLIENT.setRequestInterceptor(request -> request.header("Authorization", BEARER));
  }

  static void same(Object value, Object expected) {
    if (!Objects.equals(value, expected)) throw new AssertionError(value + ", not " + expected);
  }

  public static void main(String[] arguments) throws Exception {
    NotificationsApi notifications = new NotificationsApi(CLIENT);
    NewEndpoint endpoint = notifications.createEndpoint(new EndpointRequest()
        .url(java.net.URI.create(System.getenv("HOOKS_URL")))
        .addEventsItem(EventFilter.INVOICE_PAID)
        .addEventsItem(EventFilter.CHARGE_CAPTURED), null, null);
    same(endpoint.getStatus(), EndpointStatus.ENABLED);
    CardToken card = new CardsApi(CLIENT).createCardToken(new CardTokenRequest()
        .cardNumber("4111111111111111")
        .holder(new CardHolderRequest().name("ANA SOUZA").document(DOCUMENT))
        .expiration(new CardExpirationRequest().year(2049L).month(12L)), null, null);
    same(card.getLastFour(), "1111");
    same(card.getExpiration().getYear(), 2049L);

    payInvoice(card);
    authorizeOrder(card);
    payByVoucher();
    try {
      new ChargesApi(CLIENT).getCharge(999_999L, null);
      throw new AssertionError("an unknown charge was found");
    } catch (ApiException answer) {
      Problem problem = CLIENT.getObjectMapper().readValue(answer.getResponseBody(), Problem.class);
      same(problem.getCode(), "NOT_FOUND");
    }
    readDeliveries(notifications, endpoint.getId());
  }

  static void payInvoice(CardToken card) throws ApiException {
    Customer customer = new CustomersApi(CLIENT).createCustomer(
        new CustomerRequest().name("Ana Souza").document(DOCUMENT).email("ana@example.com"), null, null);
    same(customer.getDocument(), DOCUMENT);
    Product product = new ProductsApi(CLIENT).createProduct(new ProductRequest()
        .productType(ProductType.ONETIME).name("One hour").value(5_000L), null, null);

    InvoicesApi invoices = new InvoicesApi(CLIENT);
    Invoice invoice = invoices.createInvoice(SELLER, new InvoiceRequest()
        .customerId(customer.getId())
        .invoiceNumber(TOUR)
        .dueDate(Instant.now().plus(Duration.ofDays(7)).toEpochMilli())
        .addItemsItem(new InvoiceItemRequest()
            .productId(product.getId()).quantity(2L).unitPriceInCents(product.getValue())), null, null);
    same(invoice.getStatus(), InvoiceStatus.OPEN);
    same(invoice.getAmountInCents(), 10_000L);
    Long id = invoice.getId();
    same(invoices.finalizeInvoice(id, null, null).getStatus(), InvoiceChargeStatus.PENDING);
    InvoiceCharge paid = invoices.payInvoiceByCard(id, new InvoiceCardPayment().cardId(card.getId()), null, null);
    same(paid.getStatus(), InvoiceChargeStatus.PAID);
    same(invoices.getInvoice(id, null).getPaidInCents(), 10_000L);
    List<InvoiceEntry> listed = invoices.listInvoices(InvoicesApi.APIListInvoicesRequest.newBuilder()
        .invoiceNumber(TOUR).status(List.of(InvoiceStatus.OPEN, InvoiceStatus.PAID)).build()).getContent();
    same(listed.stream().map(InvoiceEntry::getId).toList(), List.of(id));
  }

  static void authorizeOrder(CardToken card) throws ApiException {
    AuthorizeRequest order = new AuthorizeRequest()
        .orderReference("order " + TOUR)
        .amount(9_000L)
        .customer(new OrderCustomer().name("Ana Souza").document(DOCUMENT))
        .addPaymentsItem(new PaymentRequest().amount(9_000L).installments(3L)
            .cardToken(new CardTokenReference().token(card.getToken()).cvv("123")))
        .metadata(Map.of("cart", new MetadataValueRequest("77"),
            "seats", new MetadataValueRequest(2.0)));
    OrdersApi orders = new OrdersApi(CLIENT);
    Charge charge = orders.authorizeOrder(SELLER, order, TOUR, null);
    same(charge.getStatus(), ChargeStatus.AUTHORIZED);
    same(charge.getAuthorizedAmount(), 9_000L);
    same(charge.getMetadata().get("seats").getDouble(), 2.0);
    same(orders.authorizeOrder(SELLER, order, TOUR, null).getId(), charge.getId());

    ChargesApi charges = new ChargesApi(CLIENT);
    Charge captured = charges.captureCharge(charge.getId(), null, null, new CaptureRequest());
    same(captured.getCapturedAmount(), 9_000L);
    Charge refunded = charges.refundCharge(charge.getId(), null, null, new RefundRequest().amount(2_500L));
    same(refunded.getStatus(), ChargeStatus.PARTIALLY_REFUNDED);
    ChargePage listed = charges.listCharges(
        ChargesApi.APIListChargesRequest.newBuilder().orderReference("order " + TOUR).build());
    same(listed.getTotalElements(), 1L);
    same(listed.getContent().get(0).getRefundedAmount(), 2_500L);
  }

  static void payByVoucher() throws ApiException {
    VoucherToken voucher = new VouchersApi(CLIENT).createVoucherToken(SELLER, new VoucherTokenRequest()
        .cardType("MEAL")
        .cardBrand("VR")
        .cardNumber("6370361234567890")
        .expires(new VoucherExpirationRequest().month(12L).year(49L))
        .holder(new CardHolderRequest().name("ANA SOUZA")), null, null);
    same(voucher.getStatus(), VoucherTokenStatus.ACTIVE);
    VoucherPayment lunch = new VoucherPaymentsApi(CLIENT).createVoucherPayment(SELLER, new VoucherPaymentRequest()
        .amount(3_500L)
        .card(new VoucherCardReference().cardType("MEAL").cardBrand("VR")
            .token(voucher.getToken()))
        .customer(new VoucherCustomer().document(DOCUMENT)), null, null);
    same(lunch.getStatus(), VoucherPaymentStatus.PAID);
    same(lunch.getAmount(), 3_500L);
    same(lunch.getDecline(), null);
  }

  static void readDeliveries(NotificationsApi notifications, Long endpoint) throws Exception {
    NotificationsApi.APIListDeliveriesRequest delivered = NotificationsApi.APIListDeliveriesRequest.newBuilder()
        .endpointId(endpoint).status(List.of(DeliveryStatus.DELIVERED)).build();
    List<String> types = List.of();
    while (types.size() < 3) {
      types = notifications.listDeliveries(delivered).getContent().stream().map(Delivery::getEventType).sorted().toList();
      Thread.sleep(200);
    }
    // The card payment of the invoice captures a charge, too.
    same(types, List.of("charge.captured", "charge.captured", "invoice.paid"));
    notifications.deleteEndpoint(endpoint, null);
  }
}
