import { notFound } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { RequestHandler } from 'express'
import { LRUCache } from 'lru-cache'
import type { Deps } from '../deps'
import { countStranger } from '../http/authenticate'
import { countRunning, untilClosed } from '../http/in-flight'

export const BOLETO_PDFS = '/boletos/:file'

const PDFS_KEPT = 100
/** A boleto that was paid or withdrawn meanwhile is still shown for this long. */
const PDF_MS = 60_000

/** Shows a boleto to anyone who knows its address. Not part of the integrators' API: a payer's browser opens it. */
export function showBoleto(deps: Deps): RequestHandler {
  const { boletos } = deps.services
  // Concurrent requests share one drawing, which is kept for a while.
  const drawn = new LRUCache<string, Buffer>({
    max: PDFS_KEPT,
    ttl: PDF_MS,
    fetchMethod: async (publicId) => (await callRpc(boletos, boletos.drawBoleto, { publicId })).pdf,
  })
  return async (req, res) => {
    countStranger(deps, req, res)
    const publicId = /^([\w-]{16,64})\.pdf$/.exec(String(req.params.file))?.[1]
    if (publicId === undefined) throw notFound()
    countRunning(deps.inFlight, req, res)
    const leave = untilClosed(res, deps.inFlight.enter({}))
    const pdf = await drawn.fetch(publicId)
    leave()
    if (!pdf) throw notFound()
    res
      .writeHead(200, {
        'Content-Type': 'application/pdf',
        'Content-Length': pdf.length,
        'Content-Disposition': 'inline; filename="boleto.pdf"',
        'Cache-Control': 'no-store',
        'X-Robots-Tag': 'noindex',
      })
      .end(pdf)
  }
}
