import { notFound } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { RequestHandler } from 'express'
import type { Deps } from '../deps'
import { countStranger } from '../http/authenticate'
import { countRunning, untilClosed } from '../http/in-flight'
import { qrPng, qrSvg } from '@cofre/platform/qr-code'

export const PIX_CODES = '/pix/:file'
export const ORDER_PIX_CODES = '/pix/orders/:file'

const PICTURES: Record<string, { type: string; draw(text: string): Buffer }> = {
  svg: { type: 'image/svg+xml', draw: qrSvg },
  png: { type: 'image/png', draw: qrPng },
}

/** The text behind the QR code that an invoice's address names. */
export function codeOfInvoice(
  { pix }: Deps['services'],
  publicId: string,
): Promise<{ copyAndPaste: string }> {
  return callRpc(pix, pix.getPixCode, { publicId })
}

/** The text behind the QR code that an order's address names. */
export function codeOfOrder({ orders }: Deps['services'], txid: string): Promise<{ copyAndPaste: string }> {
  return callRpc(orders, orders.getPixCode, { txid })
}

/** Shows the QR code of a Pix charge that can be paid to anyone who knows its address, such as a payer's browser. */
export function showPixCode(deps: Deps, codeOf: typeof codeOfInvoice): RequestHandler {
  return async (req, res) => {
    countStranger(deps, req, res)
    const [, name, kind = ''] = /^([\w-]{16,64})\.(svg|png)$/.exec(String(req.params.file)) ?? []
    const picture = PICTURES[kind]
    if (name === undefined || !picture) throw notFound()
    countRunning(deps.inFlight, req, res)
    untilClosed(res, deps.inFlight.enter({}))
    const { copyAndPaste } = await codeOf(deps.services, name)
    const drawn = picture.draw(copyAndPaste)
    res
      .writeHead(200, {
        'Content-Type': picture.type,
        'Content-Length': drawn.length,
        'Cache-Control': 'no-store',
        'X-Robots-Tag': 'noindex',
      })
      .end(drawn)
  }
}
