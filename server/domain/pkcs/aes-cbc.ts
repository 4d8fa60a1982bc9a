import type { Bytes } from '#server/domain/asn1/der-writer.ts'

/** What was encrypted by AES-CBC, or undefined when the padding says that the key is wrong. The caller wipes the result. */
export async function decryptAes(
  derived: Bytes,
  iv: Uint8Array,
  encrypted: Uint8Array,
): Promise<Bytes | undefined> {
  const key = await crypto.subtle.importKey('raw', derived, 'AES-CBC', false, ['decrypt'])
  const algorithm = { name: 'AES-CBC', iv: new Uint8Array(iv) }
  try {
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, new Uint8Array(encrypted)))
  } catch {
    return undefined
  }
}
