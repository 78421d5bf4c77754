from os import environ
from time import sleep, time
from typing import TypeVar

from cofre import AuthenticatedClient
from cofre.api.cards import create_card_token
from cofre.api.charges import capture_charge, get_charge, list_charges, refund_charge
from cofre.api.customers import create_customer
from cofre.api.invoices import create_invoice, finalize_invoice, get_invoice, list_invoices, pay_invoice_by_card
from cofre.api.notifications import create_endpoint, delete_endpoint, list_deliveries
from cofre.api.orders import authorize_order
from cofre.api.products import create_product
from cofre.api.voucher_payments import create_voucher_payment
from cofre.api.vouchers import create_voucher_token
from cofre.models import (
    AuthorizeRequest,
    CaptureRequest,
    CardExpirationRequest,
    CardHolderRequest,
    CardTokenReference,
    CardTokenRequest,
    Charge,
    ChargeStatus,
    CustomerRequest,
    DeliveryStatus,
    EndpointRequest,
    EndpointStatus,
    EventFilter,
    InvoiceCardPayment,
    InvoiceChargeStatus,
    InvoiceItemRequest,
    InvoiceRequest,
    InvoiceStatus,
    MetadataRequest,
    OrderCustomer,
    PaymentRequest,
    Problem,
    ProductRequest,
    ProductType,
    RefundRequest,
    VoucherCardReference,
    VoucherCustomer,
    VoucherExpirationRequest,
    VoucherPaymentRequest,
    VoucherPaymentStatus,
    VoucherTokenRequest,
    VoucherTokenStatus,
)

WEEK_MS = 7 * 24 * 3_600_000
DOCUMENT = "12345678909"
SELLER, TOUR = int(environ["COFRE_SELLER"]), environ["COFRE_TOUR"]
client = AuthenticatedClient(base_url=environ["COFRE_URL"], token=environ["COFRE_TOKEN"])

Content = TypeVar("Content")


def good(answer: Content | Problem | None) -> Content:
    """The content of an answer that is no problem."""
    if answer is None or isinstance(answer, Problem):
        raise AssertionError(answer)
    return answer


def same(value: object, expected: object) -> None:
    if value != expected:
        raise AssertionError(f"{value!r}, not {expected!r}")


events = [EventFilter.INVOICE_PAID, EventFilter.CHARGE_CAPTURED]
endpoint = good(create_endpoint.sync(client=client, body=EndpointRequest(url=environ["HOOKS_URL"], events=events)))
same(endpoint.status, EndpointStatus.ENABLED)

person = CustomerRequest(name="Ana Souza", document=DOCUMENT, email="ana@example.com")
customer = good(create_customer.sync(client=client, body=person))
same(customer.document, DOCUMENT)
one_hour = ProductRequest(product_type=ProductType.ONETIME, name="One hour", value=5_000)
product = good(create_product.sync(client=client, body=one_hour))
card = good(
    create_card_token.sync(
        client=client,
        body=CardTokenRequest(
            card_number="4111111111111111",
            holder=CardHolderRequest(name="ANA SOUZA", document=DOCUMENT),
            expiration=CardExpirationRequest(year=2049, month=12),
        ),
    )
)
same((card.last_four, card.expiration.year), ("1111", 2049))

bill = InvoiceRequest(
    customer_id=customer.id,
    invoice_number=TOUR,
    due_date=int(time() * 1_000) + WEEK_MS,
    items=[InvoiceItemRequest(product_id=product.id, quantity=2, unit_price_in_cents=product.value)],
)
invoice = good(create_invoice.sync(SELLER, client=client, body=bill))
same((invoice.status, invoice.amount_in_cents), (InvoiceStatus.OPEN, 10_000))
due = good(finalize_invoice.sync(invoice.id, client=client))
same(due.status, InvoiceChargeStatus.PENDING)
paid = good(pay_invoice_by_card.sync(invoice.id, client=client, body=InvoiceCardPayment(card_id=card.id)))
same((paid.status, paid.amount_in_cents), (InvoiceChargeStatus.PAID, 10_000))
settled = good(get_invoice.sync(invoice.id, client=client))
same((settled.status, settled.paid_in_cents), (InvoiceStatus.PAID, 10_000))
statuses = [InvoiceStatus.OPEN, InvoiceStatus.PAID]
invoices = good(list_invoices.sync(client=client, invoice_number=TOUR, status=statuses))
same([each.id for each in invoices.content], [invoice.id])

metadata = MetadataRequest()
metadata["cart"] = "77"
metadata["seats"] = 2
order = AuthorizeRequest(
    order_reference=f"order {TOUR}",
    amount=9_000,
    customer=OrderCustomer(name="Ana Souza", document=DOCUMENT),
    payments=[
        PaymentRequest(amount=9_000, installments=3, card_token=CardTokenReference(token=card.token, cvv="123"))
    ],
    metadata=metadata,
)


def authorize() -> Charge:
    return good(authorize_order.sync(SELLER, client=client, body=order, idempotency_key=TOUR))


charge = authorize()
same((charge.status, charge.authorized_amount), (ChargeStatus.AUTHORIZED, 9_000))
same(charge.metadata["seats"], 2)
same(authorize().id, charge.id)
captured = good(capture_charge.sync(charge.id, client=client, body=CaptureRequest()))
same((captured.status, captured.captured_amount), (ChargeStatus.CAPTURED, 9_000))
refunded = good(refund_charge.sync(charge.id, client=client, body=RefundRequest(amount=2_500)))
same((refunded.status, refunded.refunded_amount), (ChargeStatus.PARTIALLY_REFUNDED, 2_500))
charges = good(list_charges.sync(client=client, order_reference=f"order {TOUR}"))
same([each.refunded_amount for each in charges.content], [2_500])

meal = VoucherTokenRequest(
    card_type="MEAL",
    card_brand="VR",
    card_number="6370361234567890",
    expires=VoucherExpirationRequest(month=12, year=49),
    holder=CardHolderRequest(name="ANA SOUZA"),
)
voucher = good(create_voucher_token.sync(SELLER, client=client, body=meal))
same(voucher.status, VoucherTokenStatus.ACTIVE)
lunch = good(
    create_voucher_payment.sync(
        SELLER,
        client=client,
        body=VoucherPaymentRequest(
            amount=3_500,
            card=VoucherCardReference(
                card_type="MEAL", card_brand="VR", token=voucher.token
            ),
            customer=VoucherCustomer(document=DOCUMENT),
        ),
    )
)
same((lunch.status, lunch.amount, lunch.decline), (VoucherPaymentStatus.PAID, 3_500, None))

missing = get_charge.sync(999_999, client=client)
assert isinstance(missing, Problem)
same(missing.code, "NOT_FOUND")

types: list[str] = []
while len(types) < 3:
    delivered = list_deliveries.sync(
        client=client, endpoint_id=endpoint.id, status=[DeliveryStatus.DELIVERED]
    )
    types = [each.event_type for each in good(delivered).content]
    sleep(0.2)
# The card payment of the invoice captures a charge, too.
same(sorted(types), ["charge.captured", "charge.captured", "invoice.paid"])
same(delete_endpoint.sync_detailed(endpoint.id, client=client).status_code, 204)
