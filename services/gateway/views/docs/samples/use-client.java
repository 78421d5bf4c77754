ApiClient client = new ApiClient();
client.updateBaseUri("{baseUrl}");
client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("COFRE_TOKEN")));
ChargePage listed = new ChargesApi(client).listCharges(
    ChargesApi.APIListChargesRequest.newBuilder().orderReference("order-1042").build());
