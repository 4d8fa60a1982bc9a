const OFFICE = '/dashboard/signing/batch'
const GUEST = '/sign/batch'

/** Where somebody signs many documents, and where each of them is. */
export type BatchPlace = {
  /** Of the list; it is shown again after the documents are signed. */
  address: string
  withoutScripts: string
  back: { address: string; label: string }
  /** Where whoever is not let in any more goes. */
  entrance: string
  /** The pages of documents are below it. */
  documentPages: string
  /** What follows the address of a document where it is signed. */
  sign: string
}

/** @param session only what waits in this one */
export function batchInOffice(session: string | undefined): BatchPlace {
  const query = session ? `?session=${session}` : ''
  const address = `${OFFICE}${query}`
  return {
    address,
    withoutScripts: `${OFFICE}/without-scripts${query}`,
    back: session
      ? { address: `/dashboard/signing/${session}`, label: 'Volver a la sesión' }
      : { address: '/dashboard/signing', label: 'Volver a Firmar' },
    entrance: `/login?returnUrl=${encodeURIComponent(address)}`,
    documentPages: '/dashboard/documents',
    sign: '/sign',
  }
}

/** Of somebody who came by a link: their session is the only one that they have. */
export const GUEST_BATCH: BatchPlace = {
  address: GUEST,
  withoutScripts: `${GUEST}/without-scripts`,
  back: { address: '/sign/documents', label: 'Volver a mis documentos' },
  entrance: '/sign/documents',
  documentPages: '/sign/documents',
  sign: '',
}
