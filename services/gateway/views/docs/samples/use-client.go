client, err := cofre.NewClientWithResponses("{baseUrl}", cofre.WithRequestEditorFn(
	func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("COFRE_TOKEN"))
		return nil
	}))
if err != nil {
	log.Fatal(err)
}
reference := "order-1042"
listed, err := client.ListChargesWithResponse(context.Background(), &cofre.ListChargesParams{OrderReference: &reference})
