from os import environ
from cofre import AuthenticatedClient
from cofre.api.charges import list_charges
from cofre.models import Problem

client = AuthenticatedClient(base_url="{baseUrl}", token=environ["COFRE_TOKEN"])
charges = list_charges.sync(client=client, order_reference="order-1042")
print(charges.code if isinstance(charges, Problem) else charges.content)
