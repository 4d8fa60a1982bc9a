/** Certificates and keys have a few thousand bytes, a PKCS#12 file may hold many. */
const MOST_BYTES = 1024 * 1024

/** @throws {DOMException} if the file is gone or may not be read */
export const firstBytes = async (file: File): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer())

export const UNREADABLE =
  'No se pudo leer el archivo. Compruebe que siga en su lugar y elíjalo de nuevo.'
