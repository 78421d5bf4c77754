import type { ServedService } from '@cofre/platform/grpc/server'
import type { Logger } from '@cofre/platform/telemetry/log'
import { VoucherReportsService } from '@cofre/proto/vouchers/v1/reports'
import {
  VouchersAdminService,
  VouchersService,
  type GetPaymentRequest,
  type VoucherPayment,
} from '@cofre/proto/vouchers/v1/vouchers'
import { standIn, type OnCall } from '../stand-in'
import { createMarks } from './marks'
import { createVoucherReports } from './reports'
import { createPayments } from './voucher-payments'
import { createRedirects } from './voucher-redirects'
import { BRANDS, createTokens } from './voucher-tokens'

/** The vouchers service in memory. `asked` holds the requests for tokens, payments and lists. */
export function createVouchers({ onCall }: { onCall?: OnCall } = {}) {
  const marks = createMarks()
  const tokens = createTokens(marks)
  const payments = createPayments(marks, tokens)
  const redirects = createRedirects(marks, tokens)
  const reports = createVoucherReports()
  const pending: VoucherPayment[] = []
  const answers = {
    listBrands: async () => ({ brands: [...BRANDS] }),
    ...tokens.answers,
    ...payments.answers,
    ...redirects.answers,
  }
  const admin = {
    resolvePayment: async (request: GetPaymentRequest) => payments.find(request),
    listPendingPayments: async () => ({ payments: pending, more: false }),
  }
  const services = (log: Logger): ServedService[] => [
    standIn(log, VouchersService, answers, { onCall }),
    standIn(log, VoucherReportsService, reports.answers, { onCall }),
    standIn(log, VouchersAdminService, admin, { onCall, callers: ['cofrectl'] }),
    marks.service(log),
  ]
  return {
    services,
    tokens: tokens.tokens,
    addToken: tokens.add,
    payments: payments.payments,
    pending,
    reports,
    redirects,
    asked: { tokens: tokens.asked, payments: payments.asked.create, list: payments.asked.list },
    hooks: payments.hooks,
  }
}
