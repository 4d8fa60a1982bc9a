import { CHOSEN } from '#app/messages/field-names.ts'
import type { ReadBatch } from '#server/features/signatures/read-batch.ts'

const OFFICE = '/dashboard/signing/batch'
const GUEST = '/sign/batch'

/** The addresses of a batch page and its documents. */
export type BatchAddresses = {
  /** Address of the list, which is shown again after signing. */
  address: string
  withoutScripts: string
  back: { address: string; label: string }
  /** What follows after signing: who is awaited now, and what the signer can download or do. */
  after: readonly { address: string; label: string }[]
  /** Where a signer without a session or valid link is sent. */
  entrance: string
  /** Prefix of the document pages. */
  documentPages: string
  /** Suffix of a document's address for its signing page. */
  sign: string
}

/** @param wanted what the batch is restricted to */
export function officeBatch({ signingSessionId: session, documentIds }: ReadBatch): BatchAddresses {
  const wanted = new URLSearchParams((documentIds ?? []).map((id) => [CHOSEN, id]))
  if (session) wanted.set('session', session)
  const query = wanted.size > 0 ? `?${wanted}` : ''
  const address = `${OFFICE}${query}`
  return {
    address,
    withoutScripts: `${OFFICE}/without-scripts${query}`,
    back: session
      ? { address: `/dashboard/signing/${session}`, label: 'Volver a la sesión' }
      : { address: '/dashboard/signing', label: 'Volver a Firmar' },
    after: [
      ...(session
        ? [{ address: `/dashboard/signing/${session}`, label: 'Ver a quién se espera ahora' }]
        : []),
      { address: OFFICE, label: 'Ver qué más espera su firma' },
      { address: '/dashboard/signing', label: 'Ver cómo van las sesiones de firma' },
      { address: '/dashboard/documents?state=signed', label: 'Descargar documentos firmados' },
    ],
    entrance: `/login?returnUrl=${encodeURIComponent(address)}`,
    documentPages: '/dashboard/documents',
    sign: '/sign',
  }
}

/** For guests, who have a single session. */
export const GUEST_BATCH: BatchAddresses = {
  address: GUEST,
  withoutScripts: `${GUEST}/without-scripts`,
  back: { address: '/sign/documents', label: 'Volver a mis documentos' },
  after: [{ address: '/sign/documents', label: 'Ver mis documentos y descargar mis copias' }],
  entrance: '/sign/documents',
  documentPages: '/sign/documents',
  sign: '',
}
