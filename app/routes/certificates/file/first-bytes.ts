/** @throws {DOMException} if the file is gone or may not be read */
export const firstBytes = async (file: File, most: number): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(0, most).arrayBuffer())

export const UNREADABLE =
  'No se pudo leer el archivo. Compruebe que siga en su lugar y elíjalo de nuevo.'
