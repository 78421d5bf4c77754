/** What a seller need not say of an endpoint. */
export const PLAIN = { description: '', headers: undefined }
