import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { compose } from '#server/compose.ts'
import { readConfig } from '#server/config.ts'
import { findCredentials } from '#server/db/people/credentials.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { Email } from '#server/domain/identity/email.ts'
import type { User } from '#server/domain/identity/user.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import {
  CreateSigningSession,
  createSigningSession,
} from '#server/features/signing-sessions/create-signing-session.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import type { System } from '#server/system.ts'
import { asPerson } from '#tests/support/builders.ts'
import { newAccessToken } from '#tests/support/office/sessions.ts'
import type { Demo, DemoUser } from '#tests/support/processes/demo-server.ts'
import { aPdf } from './deeds.ts'

/** Documents with these titles that wait for the owner of the access token. */
export type Waiting = { token: string; documentIds: string[] }

/** Arranges it beside the server of the demo office, on the same data. */
export async function waitingFor(
  demo: Demo,
  dataFolder: string,
  { email }: DemoUser,
  titles: readonly string[],
): Promise<Waiting> {
  const { port } = new URL(demo.origin)
  const { system, close } = await compose(readConfig('demo', { DATA_DIR: dataFolder, PORT: port }))
  try {
    const found = await findCredentials(system.db, Email.parse(email))
    if (!found) throw new Error(`${email} does not work here`)
    return await arrange(system, found.user, titles)
  } finally {
    await close()
  }
}

async function arrange(system: System, user: User, titles: readonly string[]): Promise<Waiting> {
  const person = asPerson(user, { provenAt: system.clock.now() })
  const documentIds: string[] = []
  for (const title of titles) {
    const upload = { kind: 'other', title, fileName: 'acta.pdf', content: [aPdf(2)] } as const
    const document = await uploadDocument(system, person, upload as never)
    documentIds.push(document.id)
  }
  const input = CreateSigningSession.parse({
    title: 'Firma con agente',
    message: null,
    deadline: null,
    documentIds,
    signers: [{ kind: 'user', userId: user.id, character: null, step: 1 }],
  })
  const { id } = await createSigningSession(system, person, input)
  await openSigningSession(system, person, { signingSessionId: id })
  const office = await findOffice(system.db, user.officeId)
  if (!office) throw new Error(`${user.email} has no office`)
  return { token: await newAccessToken(system, { user, office }), documentIds }
}

/** The e.firma of a user of the demo, as a token holds it. */
export function efirmaOf({ cer, key, keyPassword }: DemoUser) {
  const privateKey = createPrivateKey({
    key: readFileSync(key),
    format: 'der',
    type: 'pkcs8',
    passphrase: keyPassword,
  })
  const keyPair = { privateKey, publicKey: createPublicKey(privateKey) }
  return { certificate: readCertificate(new Uint8Array(readFileSync(cer))), keyPair }
}
