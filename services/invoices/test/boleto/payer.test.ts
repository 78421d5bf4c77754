import { PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import { createCustomer } from '../support/customers'
import { create, invoiceFor } from '../support/invoices'
import { createProduct } from '../support/products'
import { AGREEMENT, issue, newInvoice, startBoletos, type TestBoletos } from '../support/start-boletos'
import { newSeller } from '../support/start-invoices'

let boletos: TestBoletos
beforeAll(async () => {
  boletos = await startBoletos()
})
afterAll(() => boletos.stop())
beforeEach(() => boletos.bank.slips.clear())

test('the bank is told of the payer’s whole address, in the letters that it takes', async () => {
  const sellerId = newSeller()
  const { id: customerId } = await createCustomer(boletos, sellerId, {
    name: 'João Łódź 🦜',
    address: {
      street: 'Rua das Flôres',
      streetNumber: '120',
      lineTwo: 'Apto 5',
      neighborhood: 'Bela Vista',
      city: 'São Paulo',
      state: 'SP',
      zipCode: '01310100',
    },
  })
  const { id: productId } = await createProduct(boletos, sellerId)
  boletos.accounts.enabled.set(sellerId, AGREEMENT)
  const invoice = await create(boletos, invoiceFor({ sellerId, customerId, productId }))
  const { boleto } = await issue(boletos, invoice)
  expect(boletos.bank.only.registration).toMatchObject({
    pagador: {
      nome: 'Joao Lodz',
      endereco: {
        logradouro: 'Rua das Flores, 120, Apto 5',
        bairro: 'Bela Vista',
        cidade: 'Sao Paulo',
        uf: 'SP',
        cep: '01310100',
      },
    },
  })
  expect(boleto?.warnings).toEqual([])
})

test('a boleto of a customer without a whole address says so; the bank is told of none', async () => {
  const { boleto } = await issue(boletos, await newInvoice(boletos))
  expect(boleto?.warnings).toMatchObject([
    { pointer: '#/customer/address', code: 'PAYER_ADDRESS_INCOMPLETE' },
  ])
  expect(boletos.bank.only.registration).toMatchObject({ pagador: { nome: expect.any(String) } })
  expect(boletos.bank.only.registration).not.toHaveProperty('pagador.endereco')
})

test('a boleto says when its cashier’s part has no room for the seller’s instructions', async () => {
  const withLines = (count: number) => ({
    acceptedMethods: [
      {
        method: PaymentMethod.BOLETO,
        cardSettings: undefined,
        pixSettings: undefined,
        boletoSettings: { daysAfterDueDate: 30, instructions: Array(count).fill('Pague em qualquer banco.') },
      },
    ],
  })
  const codesOf = async (count: number) => {
    const { boleto } = await issue(boletos, await newInvoice(boletos, withLines(count)))
    return boleto?.warnings.map(({ code }) => code)
  }
  expect(await codesOf(5)).not.toContain('INSTRUCTIONS_CUT')
  expect(await codesOf(20)).toContain('INSTRUCTIONS_CUT')
})
