import type { SignAddresses } from '#app/routes/signing/one/sign-view.ts'

/** The addresses for a guest who signs this document. */
export function guestAddresses(id: string): SignAddresses {
  const address = `/sign/documents/${id}`
  const back = { address: '/sign/documents', label: 'Volver a mis documentos' }
  return { address, document: address, back, entrance: '/sign/documents' }
}
