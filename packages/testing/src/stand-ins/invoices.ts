import type { ServedService } from '@cofre/platform/grpc/server'
import type { Logger } from '@cofre/platform/telemetry/log'
import { CustomersService } from '@cofre/proto/invoices/v1/customers'
import { standIn, type OnCall } from '../stand-in'
import { createCustomers } from './customers'
import { createMarks } from './marks'

/** The invoices service in memory: what the gateway asks of it is in `asked`. */
export function createInvoices({ onCall }: { onCall?: OnCall } = {}) {
  const marks = createMarks()
  const customers = createCustomers(marks)
  const services = (log: Logger): ServedService[] => [
    standIn(log, CustomersService, customers.answers, { onCall }),
    marks.service(log),
  ]
  return { services, customers: customers.customers, asked: { customers: customers.asked } }
}
