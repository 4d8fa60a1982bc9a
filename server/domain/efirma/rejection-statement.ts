/** What the office knows of a rejection: the session, and the signer who rejects it. */
export type RejectionFacts = {
  /** Name of the office. */
  office: string
  session: { id: string; title: string }
  signer: { name: string; rfc: string }
  /** As they were when the session was opened; SHA-256 in hexadecimal. */
  documents: readonly { id: string; sha256: string }[]
}

/** What the signer adds. */
export type Rejection = {
  reason: string
  /** Milliseconds since 1970, by the server's clock. */
  at: number
}

/**
 * The statement that an e.firma signs to reject a signing session: JSON with fixed names and order, in Spanish because a person
 * declares it. Page and server build it from the same facts, so the page signs no bytes that a server made up, and it can be
 * taken neither for the signed attributes of a document nor for a statement about another session.
 */
export function rejectionStatement(
  { office, session, signer, documents }: RejectionFacts,
  { reason, at }: Rejection,
): Uint8Array<ArrayBuffer> {
  const statement = {
    declaracion: 'Rechazo firmar los documentos de esta sesión de firma.',
    formato: 'rubrica-rechazo-1',
    notaria: office,
    sesion: { id: session.id, titulo: session.title },
    firmante: { nombre: signer.name, rfc: signer.rfc },
    documentos: documents.map(({ id, sha256 }) => ({ id, sha256 })),
    motivo: reason,
    fecha: new Date(at).toISOString(),
  }
  return new TextEncoder().encode(JSON.stringify(statement))
}
