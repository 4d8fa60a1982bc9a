import type { SignPlace } from '#app/routes/signing/one/sign-view.ts'

/** The addresses for a guest who signs this document. */
export function guestPlace(id: string): SignPlace {
  const address = `/sign/documents/${id}`
  const back = { address: '/sign/documents', label: 'Volver a mis documentos' }
  return { address, document: address, back, entrance: '/sign/documents' }
}
