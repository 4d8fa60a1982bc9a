/** The bytes in a buffer of their own: of a view, the whole buffer behind it would cross to the other thread. */
export const ownBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
