type Row = { words: string; codes: readonly string[] }

/** Why a receiver gave no answer: a name, the words for its seller, and the codes of Node, OpenSSL, DNS and undici. */
const ROWS = {
  ADDRESS_REFUSED: {
    words: 'Cofre did not call your server, because its address is not on the public internet.',
    codes: ['refused_address'],
  },
  NAME_UNKNOWN: { words: 'The host name has no address in DNS.', codes: ['ENOTFOUND', 'ENODATA', 'ENONAME'] },
  NAME_SERVER_FAILED: {
    words: 'The name servers of your host did not answer, or failed.',
    codes: ['EAI_AGAIN', 'EAI_FAIL', 'ESERVFAIL', 'EREFUSED', 'ETIMEOUT', 'EBADRESP', 'ECANCELLED'],
  },
  CONNECTION_REFUSED: {
    words: 'Your server refused the connection. Nothing listens at this address and port.',
    codes: ['ECONNREFUSED'],
  },
  UNREACHABLE: {
    words: 'No network route leads to the address of your server.',
    codes: ['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTDOWN', 'ENETDOWN'],
  },
  CERTIFICATE_NOT_TRUSTED: {
    words:
      'Your server’s certificate is self-signed, of an unknown authority, or lacks its intermediate certificates.',
    codes: [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'CERT_UNTRUSTED',
      'CERT_REJECTED',
      'CERT_REVOKED',
      'CERT_SIGNATURE_FAILURE',
      'INVALID_CA',
      'INVALID_PURPOSE',
      'PATH_LENGTH_EXCEEDED',
    ],
  },
  CERTIFICATE_EXPIRED: {
    words: 'Your server’s certificate has expired, or is not valid yet.',
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
  },
  CERTIFICATE_WRONG_NAME: {
    words: 'Your server’s certificate is for another host name.',
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID'],
  },
  TLS_FAILED: {
    words: 'No TLS connection could be made. Perhaps your server does not speak TLS at this port.',
    codes: ['EPROTO', 'ERR_TLS_HANDSHAKE_TIMEOUT', 'ERR_TLS_INVALID_PROTOCOL_VERSION'],
  },
  TIMEOUT: {
    words: 'Your server did not answer in time.',
    codes: ['timeout', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'],
  },
  ANSWER_CUT_OFF: {
    words: 'Your server ended the connection before it had answered.',
    codes: ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'],
  },
  HEADERS_TOO_LONG: {
    words: 'The headers of your server’s answer are longer than 16 KiB.',
    codes: ['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'],
  },
  NOT_HTTP: { words: 'Your server’s answer is not HTTP/1.1.', codes: ['HTTPParserError'] },
  OTHER: { words: 'The call failed for another reason.', codes: [] },
} as const satisfies Record<string, Row>

export type NoAnswerCode = keyof typeof ROWS

export const NO_ANSWER_CODES = Object.keys(ROWS) as [NoAnswerCode, ...NoAnswerCode[]]

/** Codes of which there are too many to name: what OpenSSL and the parser of HTTP may find. */
const FAMILIES: [beginning: string, code: NoAnswerCode][] = [
  ['ERR_SSL_', 'TLS_FAILED'],
  ['ERR_TLS_', 'TLS_FAILED'],
  ['HPE_', 'NOT_HTTP'],
]

const BY_CODE = new Map<string, NoAnswerCode>(
  NO_ANSWER_CODES.flatMap((name) => ROWS[name].codes.map((code) => [code, name] as const)),
)

/** Says why a receiver gave no answer. `code`: of the error that the call ended with. */
export function whyNoAnswer(code: string): { error: string; errorCode: NoAnswerCode } {
  const errorCode =
    BY_CODE.get(code) ?? FAMILIES.find(([beginning]) => code.startsWith(beginning))?.[1] ?? 'OTHER'
  return { error: ROWS[errorCode].words, errorCode }
}

/** Every reason with its words, for the manual. */
export function listNoAnswers(): { code: NoAnswerCode; words: string }[] {
  return NO_ANSWER_CODES.map((code) => ({ code, words: ROWS[code].words }))
}
