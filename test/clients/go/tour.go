package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"time"

	"example.com/tour/cofre"
)

const document = "12345678909"

var (
	background = context.Background()
	tour       = os.Getenv("COFRE_TOUR")
)

func authenticate(_ context.Context, request *http.Request) error {
	request.Header.Set("Authorization", "Bearer "+os.Getenv("COFRE_TOKEN"))
	return nil
}

// good returns the content of an answer, or ends the tour.
func good[Content any](content *Content, what string) Content {
	if content == nil {
		fail(what, "another answer")
	}
	return *content
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func same[Value comparable](what string, value, expected Value) {
	if value != expected {
		fail(what, fmt.Sprint(value, ", not ", expected))
	}
}

func fail(what, reason string) {
	fmt.Fprintf(os.Stderr, "%s: %s\n", what, reason)
	os.Exit(1)
}

func main() {
	sellerId, err := strconv.ParseInt(os.Getenv("COFRE_SELLER"), 10, 64)
	check(err)
	client, err := cofre.NewClientWithResponses(os.Getenv("COFRE_URL"), cofre.WithRequestEditorFn(authenticate))
	check(err)

	endpoint := createEndpoint(client)
	card := createCard(client)
	payInvoice(client, sellerId, card)
	authorizeOrder(client, sellerId, card)
	payByVoucher(client, sellerId)

	missing, err := client.GetChargeWithResponse(background, 999_999, nil)
	check(err)
	same("an unknown charge", good(missing.ApplicationproblemJSON404, "the problem").Code, "NOT_FOUND")
	readDeliveries(client, endpoint)
}

func createEndpoint(client *cofre.ClientWithResponses) cofre.NewEndpoint {
	body := cofre.EndpointRequest{
		Url: os.Getenv("HOOKS_URL"),
		Events: &[]cofre.EventFilter{
			cofre.EventFilterInvoicePaid, cofre.EventFilterChargeCaptured,
		},
	}
	answer, err := client.CreateEndpointWithResponse(background, nil, body)
	check(err)
	endpoint := good(answer.JSON201, "the endpoint")
	same("its status", endpoint.Status, cofre.ENABLED)
	return endpoint
}

func createCard(client *cofre.ClientWithResponses) cofre.CardToken {
	answer, err := client.CreateCardTokenWithResponse(background, nil, cofre.CardTokenRequest{
		CardNumber: to("4111111111111111"),
		Holder:     &cofre.CardHolderRequest{Name: "ANA SOUZA", Document: to(document)},
		Expiration: &cofre.CardExpirationRequest{Year: 2049, Month: 12},
	})
	check(err)
	card := good(answer.JSON201, "the card")
	same("its last four", card.LastFour, "1111")
	same("its year", card.Expiration.Year, 2049)
	return card
}

func payInvoice(client *cofre.ClientWithResponses, sellerId int64, card cofre.CardToken) {
	email := "ana@example.com"
	person := cofre.CustomerRequest{Name: "Ana Souza", Document: document, Email: &email}
	made, err := client.CreateCustomerWithResponse(background, nil, person)
	check(err)
	customer := good(made.JSON201, "the customer")
	same("its document", customer.Document, document)
	oneHour := cofre.ProductRequest{ProductType: cofre.ProductTypeONETIME, Name: "One hour", Value: 5_000}
	sold, err := client.CreateProductWithResponse(background, nil, oneHour)
	check(err)
	product := good(sold.JSON201, "the product")

	billed, err := client.CreateInvoiceWithResponse(background, sellerId, nil, cofre.InvoiceRequest{
		CustomerId:    customer.Id,
		InvoiceNumber: &tour,
		DueDate:       time.Now().AddDate(0, 0, 7).UnixMilli(),
		Items:         []cofre.InvoiceItemRequest{{ProductId: product.Id, Quantity: 2, UnitPriceInCents: product.Value}},
	})
	check(err)
	invoice := good(billed.JSON201, "the invoice")
	same("its status", invoice.Status, cofre.InvoiceStatusOPEN)
	same("its amount", invoice.AmountInCents, 10_000)
	due, err := client.FinalizeInvoiceWithResponse(background, invoice.Id, nil)
	check(err)
	same("its charge", good(due.JSON201, "the charge").Status, cofre.InvoiceChargeStatusPENDING)
	paid, err := client.PayInvoiceByCardWithResponse(background, invoice.Id, nil, cofre.InvoiceCardPayment{CardId: &card.Id})
	check(err)
	same("its payment", good(paid.JSON201, "the payment").Status, cofre.InvoiceChargeStatusPAID)
	read, err := client.GetInvoiceWithResponse(background, invoice.Id, nil)
	check(err)
	same("paid", good(read.JSON200, "the invoice").PaidInCents, 10_000)
	listed, err := client.ListInvoicesWithResponse(background, &cofre.ListInvoicesParams{
		InvoiceNumber: &tour,
		Status:        &[]cofre.InvoiceStatus{cofre.InvoiceStatusOPEN, cofre.InvoiceStatusPAID},
	})
	check(err)
	invoices := good(listed.JSON200, "the invoices").Content
	same("invoices", len(invoices), 1)
	same("the invoice of the list", invoices[0].Id, invoice.Id)
}

func authorizeOrder(client *cofre.ClientWithResponses, sellerId int64, card cofre.CardToken) {
	reference := "order " + tour
	order := cofre.AuthorizeRequest{
		OrderReference: &reference,
		Amount:         9_000,
		Customer:       cofre.OrderCustomer{Name: "Ana Souza", Document: document},
		Payments: []cofre.PaymentRequest{{
			Amount:       9_000,
			Installments: to[int64](3),
			CardToken:    &cofre.CardTokenReference{Token: card.Token, Cvv: to("123")},
		}},
		Metadata: &cofre.MetadataRequest{"cart": text("77"), "seats": number(2)},
	}
	authorize := func() cofre.Charge {
		once := &cofre.AuthorizeOrderParams{IdempotencyKey: &tour}
		answer, err := client.AuthorizeOrderWithResponse(background, sellerId, once, order)
		check(err)
		return good(answer.JSON201, "the charge")
	}
	charge := authorize()
	same("its status", charge.Status, cofre.ChargeStatusAUTHORIZED)
	same("authorized", charge.AuthorizedAmount, 9_000)
	seats, err := charge.Metadata["seats"].AsMetadataValue1()
	check(err)
	same("its seats", seats, 2)
	same("the charge of the same key", authorize().Id, charge.Id)

	captured, err := client.CaptureChargeWithResponse(background, charge.Id, nil, cofre.CaptureRequest{})
	check(err)
	same("captured", good(captured.JSON201, "the capture").CapturedAmount, 9_000)
	refunded, err := client.RefundChargeWithResponse(background, charge.Id, nil, cofre.RefundRequest{Amount: to[int64](2_500)})
	check(err)
	same("its status", good(refunded.JSON201, "the refund").Status, cofre.ChargeStatusPARTIALLYREFUNDED)
	listed, err := client.ListChargesWithResponse(background, &cofre.ListChargesParams{OrderReference: &reference})
	check(err)
	charges := good(listed.JSON200, "the charges")
	same("charges", charges.TotalElements, 1)
	same("refunded", charges.Content[0].RefundedAmount, 2_500)
}

func payByVoucher(client *cofre.ClientWithResponses, sellerId int64) {
	stored, err := client.CreateVoucherTokenWithResponse(background, sellerId, nil, cofre.VoucherTokenRequest{
		CardType:   "MEAL",
		CardBrand:  "VR",
		CardNumber: to("6370361234567890"),
		Expires:    &cofre.VoucherExpirationRequest{Month: 12, Year: 49},
		Holder:     &cofre.CardHolderRequest{Name: "ANA SOUZA"},
	})
	check(err)
	voucher := good(stored.JSON201, "the voucher")
	same("its status", voucher.Status, cofre.VoucherTokenStatusACTIVE)
	paid, err := client.CreateVoucherPaymentWithResponse(background, sellerId, nil, cofre.VoucherPaymentRequest{
		Amount:   3_500,
		Card:     cofre.VoucherCardReference{CardType: "MEAL", CardBrand: "VR", Token: voucher.Token},
		Customer: cofre.VoucherCustomer{Document: document},
	})
	check(err)
	lunch := good(paid.JSON201, "the payment")
	same("its status", lunch.Status, cofre.VoucherPaymentStatusPAID)
	same("its amount", lunch.Amount, 3_500)
	same("without a decline", lunch.Decline == nil, true)
}

func readDeliveries(client *cofre.ClientWithResponses, endpoint cofre.NewEndpoint) {
	types := []string{}
	delivered := &cofre.ListDeliveriesParams{
		EndpointId: &endpoint.Id,
		Status:     &[]cofre.DeliveryStatus{cofre.DeliveryStatusDELIVERED},
	}
	for ; len(types) < 3; time.Sleep(200 * time.Millisecond) {
		answer, err := client.ListDeliveriesWithResponse(background, delivered)
		check(err)
		types = types[:0]
		for _, each := range good(answer.JSON200, "the deliveries").Content {
			types = append(types, string(each.EventType))
		}
	}
	// The card payment of the invoice captures a charge, too.
	slices.Sort(types)
	same("the events", fmt.Sprint(types), "[charge.captured charge.captured invoice.paid]")
	gone, err := client.DeleteEndpointWithResponse(background, endpoint.Id, nil)
	check(err)
	same("the deletion", gone.StatusCode(), http.StatusNoContent)
}

func text(value string) (member cofre.MetadataValueRequest) {
	check(member.FromMetadataValueRequest0(value))
	return member
}

func number(value float64) (member cofre.MetadataValueRequest) {
	check(member.FromMetadataValueRequest1(value))
	return member
}

// to returns a pointer: optional members are pointers.
func to[Value any](value Value) *Value { return &value }
