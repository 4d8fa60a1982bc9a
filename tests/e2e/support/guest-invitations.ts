import { randomUUID } from 'node:crypto'
import { compose } from '#server/compose.ts'
import { readConfig } from '#server/config.ts'
import { listMail } from '#server/db/mail/outbox.ts'
import { findCredentials } from '#server/db/people/credentials.ts'
import { PEOPLE } from '#server/demo/people.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { Email } from '#server/domain/identity/email.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { openBody } from '#server/features/mail/open-body.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import { readSignerLink } from '#server/features/signing-sessions/read-signer-link.ts'
import { readSigningSession } from '#server/features/signing-sessions/read-signing-session.ts'
import {
  renewSigningLink,
  revokeSigningLink,
} from '#server/features/signing-sessions/renew-signing-link.ts'
import { SessionData } from '#server/features/signing-sessions/session-data.ts'
import { asPerson } from '#tests/support/builders.ts'
import type { Demo, DemoUser } from '#tests/support/processes/demo-server.ts'
import type { Deed } from './deeds.ts'

export type GuestInvitation = {
  sessionId: string
  signerId: string
  /** The user whose e.firma signs for the guest. */
  signer: DemoUser
  rfc: string
  /** Of the page on which the office makes the link. */
  linkPage: string
  /** The code of a new link. */
  newCode(): Promise<string>
  revoke(): Promise<void>
  /** The code in the newest mail with which they reject. */
  mailedCode(): Promise<string>
}

/** A use case beside the running server, as another process would. */
export async function beside<T>(
  demo: Demo,
  work: (system: Awaited<ReturnType<typeof compose>>['system']) => Promise<T>,
): Promise<T> {
  const { port } = new URL(demo.origin)
  const folder = demo.dataFolder ?? process.env.DEMO_DATA ?? ''
  const { system, close } = await compose(readConfig('demo', { PORT: port, DATA_DIR: folder }))
  try {
    return await work(system)
  } finally {
    await close()
  }
}

/** A session over the deeds, opened by the clerk, that waits for this user as an external signer. */
export async function inviteGuest(
  demo: Demo,
  deeds: Pick<Deed, 'id'> | readonly Pick<Deed, 'id'>[],
  clerk: DemoUser,
  signer: DemoUser & { mailTo?: string },
  /** A second external signer of the same step, without an e.firma. */
  others: readonly { name: string; rfc: string }[] = [],
): Promise<GuestInvitation> {
  const { rfc, firstName, lastName } = PEOPLE.find(({ email }) => email === signer.email)!
  return await beside(demo, async (system) => {
    const user = (await findCredentials(system.db, Email.parse(clerk.email)))?.user
    if (!user) throw new Error(`the demo has no ${clerk.email}`)
    const origin = { ip: '127.0.0.1', device: 'Test', requestId: randomUUID() }
    const person = asPerson(user, { ...origin, browser: sha256('test') })
    const input = SessionData.parse({
      title: `Compraventa ${randomUUID().slice(0, 8)}`,
      message: 'Traiga una identificación.\nGracias.',
      deadline: null,
      documentIds: [deeds].flat().map(({ id }) => DocumentId.parse(id)),
      signers: [
        {
          kind: 'external',
          name: `${firstName} ${lastName}`,
          email: signer.mailTo ?? null,
          rfc,
          character: 'Comprador',
          step: 1,
        },
        ...others.map((one) => ({
          ...one,
          kind: 'external',
          email: null,
          character: 'Vendedor',
          step: 1,
        })),
      ],
    })
    const { id } = await createSigningSession(system, person, input)
    await openSigningSession(system, person, { signingSessionId: id })
    const { ceremony } = await readSigningSession(system, person, { signingSessionId: id })
    const signerId = ceremony.signers.find((one) => one.rfc === rfc)!.id
    const asked = { signingSessionId: id, signerId }
    return {
      sessionId: id,
      signerId,
      signer,
      rfc,
      linkPage: `/dashboard/signing/${id}/links/${signerId}`,
      newCode: () =>
        beside(demo, async (again) => {
          const { link, isLive } = await readSignerLink(again, person, asked)
          const replaces = isLive && link ? link.id : null
          return (await renewSigningLink(again, person, { ...asked, replaces })).code
        }),
      revoke: () => beside(demo, (again) => revokeSigningLink(again, person, asked)),
      mailedCode: () =>
        beside(demo, async (again) => {
          const filter = { officeId: user.officeId, state: 'waiting' as const, limit: 100 }
          const mail = (await listMail(again.db, filter)).find(
            ({ kind, to }) => kind === 'rejection-code' && to.address === signer.mailTo,
          )
          const { text } = openBody(again, mail!)
          return /Código: (\S+)/.exec(text)?.[1] ?? ''
        }),
    }
  })
}
