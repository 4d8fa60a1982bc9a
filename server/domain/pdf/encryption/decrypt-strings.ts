import type { PdfDictionary, PdfObject } from '#server/domain/pdf/object.ts'

/**
 * The value with all its strings decrypted. The /Contents of a signature is never encrypted: it can be checked
 * without opening the file.
 *
 * @param decrypt called with the bytes of each string
 * @see ISO 32000-2:2020, 7.6.2
 */
export function withPlainStrings(
  value: PdfObject,
  decrypt: (bytes: Uint8Array) => Uint8Array,
): PdfObject {
  if (typeof value !== 'object' || value === null) return value
  switch (value.kind) {
    case 'string':
      return { ...value, bytes: decrypt(value.bytes) }
    case 'array':
      return { ...value, items: value.items.map((item) => withPlainStrings(item, decrypt)) }
    case 'dictionary':
      return plainDictionary(value, decrypt)
    case 'stream':
      return { ...value, dictionary: plainDictionary(value.dictionary, decrypt) }
    default:
      return value
  }
}

function plainDictionary(
  value: PdfDictionary,
  decrypt: (bytes: Uint8Array) => Uint8Array,
): PdfDictionary {
  const isSignature = value.entries.has('ByteRange')
  const entries = new Map<string, PdfObject>()
  for (const [key, item] of value.entries)
    entries.set(key, isSignature && key === 'Contents' ? item : withPlainStrings(item, decrypt))
  return { ...value, entries }
}
