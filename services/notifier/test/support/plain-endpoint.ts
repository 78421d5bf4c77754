/** The optional settings of an endpoint, left out. */
export const PLAIN = { description: '', headers: undefined }
