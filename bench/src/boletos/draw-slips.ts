import { join } from 'node:path'
import type { DrawnSlips } from './measure-boletos'

const INVOICES = join(__dirname, '../../../services/invoices/dist')
const WARM_UP = 50
const MOMENT = Date.parse('2027-03-01T12:00:00-03:00')

type Coded = { dueDay: string; amount: number; ourNumber: string }
type Draw = (slip: object, options: { isPayable: boolean }) => Promise<Buffer>

// The service's own code, as built.
const { drawBoleto } = require(join(INVOICES, 'boleto-pdf/draw-boleto.js')) as { drawBoleto: Draw }
const { barcodeOf, digitableLineOf } = require(join(INVOICES, 'boleto/barcode.js')) as {
  barcodeOf: (coded: Coded) => string
  digitableLineOf: (barcode: string) => string
}

/** Draws `count` different slips one after another and writes their times. To be run in its own process. */
async function drawSlips(count: number): Promise<DrawnSlips> {
  const first = await timed(0)
  for (let number = 1; number <= WARM_UP; number++) await timed(number)
  const times: number[] = []
  const cpuTimes: number[] = []
  let bytes = 0
  for (let number = 0; number < count; number++) {
    const drawn = await timed(WARM_UP + 1 + number)
    times.push(drawn.ms)
    cpuTimes.push(drawn.cpuMs)
    bytes += drawn.bytes
  }
  return { firstMs: first.ms, times, cpuTimes, bytes: bytes / count }
}

async function timed(number: number): Promise<{ ms: number; cpuMs: number; bytes: number }> {
  const slip = slipOf(number)
  const [start, cpu] = [process.hrtime.bigint(), process.cpuUsage()]
  const pdf = await drawBoleto(slip, { isPayable: true })
  const { user, system } = process.cpuUsage(cpu)
  const ms = Number(process.hrtime.bigint() - start) / 1e6
  return { ms, cpuMs: (user + system) / 1_000, bytes: pdf.length }
}

/** Returns a registered slip with fine, interest and an instruction: everything that a page can show. */
function slipOf(number: number): object {
  const coded = {
    dueDay: '2027-03-10',
    amount: 10_000 + 37 * number,
    ourNumber: `1234567${String(number).padStart(10, '0')}`,
  }
  const barcode = barcodeOf(coded)
  return {
    ...coded,
    status: 'REGISTERED',
    account: '1234567',
    lateOn: '2027-03-11',
    payableUntil: '2027-04-09',
    fine: { amountInCents: null, percentageBps: 200, startsAfterDays: 1 },
    interest: { dailyAmountInCents: null, monthlyPercentageBps: 100, startsAfterDays: 1 },
    instructions: ['Referente à mensalidade de março.'],
    payer: { name: `Ana Conceição ${number}`, document: '12345678909', address: 'Rua das Flores, 120' },
    beneficiary: {
      name: 'Padaria Sol Ltda',
      document: '11222333000181',
      agency: '1234-3',
      account: '56789-0',
      address: 'Rua do Exemplo, 100',
    },
    documentNumber: String(number).padStart(6, '0'),
    createdAt: MOMENT,
    updatedAt: MOMENT,
    barcode,
    digitableLine: digitableLineOf(barcode),
  }
}

drawSlips(Number(process.argv[2])).then(
  (drawn) => process.stdout.write(JSON.stringify(drawn)),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
    process.exitCode = 1
  },
)
