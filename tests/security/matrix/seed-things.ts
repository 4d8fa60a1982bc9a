import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { insertAlert } from '#server/db/alerts/alerts.ts'
import { insertRetentionTerm } from '#server/db/care/retention.ts'
import { listSignatures } from '#server/db/documents/signatures.ts'
import { upsertAct } from '#server/db/signing-sessions/acts.ts'
import { upsertParties } from '#server/db/signing-sessions/parties.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { replaceAuthority } from '#server/db/trust/authorities.ts'
import { insertCertificate } from '#server/db/trust/certificates.ts'
import { insertServiceProvider } from '#server/db/trust/service-providers.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { digestOfDescription } from '#server/domain/documents/description.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { Email } from '#server/domain/identity/email.ts'
import type { User } from '#server/domain/identity/user.ts'
import { ActId, CertificateId, type DocumentId, type OfficeId } from '#server/domain/ids.ts'
import { heldCertificateOf } from '#server/domain/signing/held-certificate-of.ts'
import { KnownParty } from '#server/domain/signing/session/party.ts'
import { after, hours } from '#server/domain/time.ts'
import { ServiceProvider } from '#server/domain/timestamp/service-provider.ts'
import { INSTALLATION } from '#server/domain/trust/known-authority.ts'
import { recordArcoRequest } from '#server/features/arco/record-arco-request.ts'
import { recordCopy } from '#server/features/copies/record-copy.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { readSigningSession } from '#server/features/signing-sessions/read-signing-session.ts'
import type { RequestedSigner } from '#server/features/signing-sessions/session-data.ts'
import { inviteUser } from '#server/features/users/invite-user.ts'
import { requestFactorRemoval } from '#server/features/users/request-factor-removal.ts'
import { queueMails } from '#server/steps/mail/queue-mail.ts'
import type { System } from '#server/system.ts'
import { aPrivateAuthority } from '#tests/support/authorities/private-authority.ts'
import { storedUser } from '#tests/support/builders.ts'
import { withTotp } from '#tests/support/keys/with-totp.ts'
import { aGrantedRequest, anArcoRequest } from '#tests/support/office/arco.ts'
import { anOpenSession, sessionOf } from '#tests/support/office/ceremonies.ts'
import { aCopy } from '#tests/support/office/copies.ts'
import { external } from '#tests/support/office/guests.ts'
import { insertRetained } from '#tests/support/office/retained.ts'
import { newSession } from '#tests/support/office/sessions.ts'
import { aDraft, aPdf, signAs } from '#tests/support/office/signing-system.ts'
import type { StartedOffice } from '#tests/support/office/started-office.ts'
import { insertCredential, insertKey, insertMaker } from '#tests/support/office/yubikey-rows.ts'
import { seedChecklists } from './seed-checklists.ts'
import { seedNumbers } from './seed-numbers.ts'
import { seedObligations } from './seed-obligations.ts'
import type { Things } from './world.ts'

/** One row at least of everything that a request can name. */
export async function seedThings(system: System, started: StartedOffice): Promise<Things> {
  const { office } = started
  const notary = await personWithRole(system, started, 'suplente@')
  const documents = await seedDocuments(system, started, notary)
  return {
    officeId: office.id,
    ...documents,
    ...(await seedSessions(system, started, notary)),
    ...(await seedUsers(system, started)),
    ...(await seedSettings(system, started, documents.draft)),
    ...(await seedMail(system, office.id)),
  }
}

async function personWithRole(
  system: System,
  { office, users }: Pick<StartedOffice, 'office' | 'users'>,
  email: string,
): Promise<Person> {
  const user = userCalled(users, email)
  return { ...(await newSession(system, { user, office }, {}, 'TOTP')).person, duty: null }
}

export function userCalled(users: readonly User[], email: string): User {
  const user = users.find((one) => one.email.startsWith(email))
  if (!user) throw new Error(`no user has the address ${email}`)
  return user
}

async function seedDocuments(system: System, { described }: StartedOffice, notary: Person) {
  const [draft, other, toSign, mistake] = [
    await aDraft(system, notary, undefined, 'Borrador'),
    await aDraft(system, notary, undefined, 'Otro borrador'),
    await aDraft(system, notary, undefined, 'Firmado'),
    await aDraft(system, notary, await aPdf('De otra notaría'), 'Por error'),
  ]
  const efirma = described.find(({ email }) => email.startsWith('suplente@'))
  if (!efirma) throw new Error('the notary has an e.firma')
  const signed = await signAs(system, notary, filesOf(efirma), toSign, efirma.keyPassword)
  const copy = await recordCopy(system, notary, aCopy(toSign.id))
  const arco = await recordArcoRequest(system, notary, anArcoRequest())
  const grantedArco = await aGrantedRequest(system, notary)
  return {
    draft: draft.id,
    draftSeen: digestOfDescription(draft),
    otherDraft: other.id,
    mistake: mistake.id,
    signed: toSign.id,
    signedVersion: signed.version,
    copy: copy.id,
    ...{ arco, grantedArco, ...(await seedRetained(system, notary)) },
    certificate: await certificateOf(system, toSign.id),
    judgement: sha256('a judgement that no page shows any more'),
  }
}

/** A letter whose term is over, and one that was blocked long ago. */
async function seedRetained({ db, clock }: System, { officeId, userId }: Person) {
  const at = clock.now()
  const term = { kind: 'letter', years: 10, blockDays: 30, source: 'Acuerdo' } as const
  return await db.transaction(async (trx) => {
    await insertRetentionTerm(trx, officeId, { term, at, by: userId })
    const [retained, blocked] = [
      await insertRetained(trx, { officeId, by: userId, at }),
      await insertRetained(trx, { officeId, by: userId, at }, 'blocked'),
    ]
    return { retained, blocked }
  })
}

async function certificateOf({ db }: System, documentId: DocumentId): Promise<string> {
  const [signature] = await listSignatures(db, documentId)
  if (!signature) throw new Error('a signed document has a signature')
  return signature.certificateId
}

const filesOf = ({ cer, key }: { cer: string; key: string }) => ({
  cer: new Uint8Array(readFileSync(cer)),
  key: new Uint8Array(readFileSync(key)),
})

/** A draft of a session, and an open session that waits for everybody who has a role, and for two guests. */
async function seedSessions(system: System, { users, office }: StartedOffice, notary: Person) {
  const [ofDraft, awaited] = [
    await aDraft(system, notary, undefined, 'De una sesión en borrador'),
    await aDraft(system, notary, undefined, 'En firma'),
  ]
  const staff = users.map(askedUser)
  const guests = [
    external({ email: 'benito@ejemplo.example' }),
    external({ name: 'Carla Peña Ruiz', rfc: 'PERC850101QX8' }),
  ]
  const draft = await createSigningSession(
    system,
    notary,
    sessionOf([ofDraft], [...staff.slice(0, 2), guests[1] as RequestedSigner]),
  )
  const open = await anOpenSession(system, notary, sessionOf([awaited], [...staff, ...guests]))
  // A signer is reminded once a day; these were asked long ago.
  await system.db.transaction((trx) =>
    trx.updateTable('signers').set({ reminded_at: null }).execute(),
  )
  const signersOf = async (signingSessionId: typeof open.id) =>
    (await readSigningSession(system, notary, { signingSessionId })).ceremony.signers
  const inDraft = await signersOf(draft.id)
  const inOpen = await signersOf(open.id)
  const [first, linked] = inOpen.filter(({ userId }) => userId === null)
  if (!inDraft[0] || !inDraft[1] || !inOpen[0] || !first || !linked)
    throw new Error('sessions without signers')
  return {
    awaited: awaited.id,
    draftSession: draft.id,
    ofDraft: ofDraft.id,
    draftSigner: inDraft[0].id,
    otherDraftSigner: inDraft[1].id,
    openSession: open.id,
    openSigner: first.id,
    linkedSigner: linked.id,
    ...(await seedParty(system, notary, office.id)),
  }
}

const askedUser = ({ id, capacity }: User): RequestedSigner => ({
  kind: 'user',
  userId: id,
  character: capacity
    ? null
    : ('Compareciente' as Extract<RequestedSigner, { kind: 'user' }>['character']),
  step: 1,
})

/** Acts that the office wrote itself: those of the program have the same id in each office. */
async function seedActs(system: System, by: Person, officeId: OfficeId, documentId: DocumentId) {
  const at = system.clock.now()
  const ids = [ActId.parse(randomUUID()), ActId.parse(randomUUID())]
  await system.db.transaction(async (trx) => {
    for (const [index, id] of ids.entries())
      await upsertAct(trx, {
        ...{ id, officeId, name: `Acto ${index + 1}`, roles: [], notary: 'signs' },
        ...{ electronic: null, state: 'active', at, by: by.userId },
      })
    await seedChecklists(trx, { officeId, ids, documentId, at, by: by.userId })
  })
  return { act: ids[0] ?? '', otherAct: ids[1] ?? '', actSeenAt: at, listSeenAt: at }
}

async function seedYubikeys({ db, clock }: System, holder: User, { administrator }: StartedOffice) {
  const at = clock.now()
  const by = administrator.userId
  const { officeId } = holder
  const maker = await aPrivateAuthority('Fabricante')
  return await db.transaction(async (trx) => {
    const yubikey = await insertKey(trx, { officeId, by, serial: '1', at })
    const { id: holdersCertificate } = await insertCertificate(
      trx,
      heldCertificateOf(maker.certificate, {
        ...{ id: CertificateId.parse(randomUUID()), officeId, userId: holder.id, at },
        isForTesting: true,
      }),
    )
    const linked = { certificateId: holdersCertificate }
    const held = await insertKey(trx, { officeId, by, serial: '2', holder, at, ...linked })
    return {
      ...{ yubikey: yubikey.id, heldYubikey: held.id, holdersCertificate },
      linkedCredential: await insertCredential(trx, holder, at, held),
      otherCredential: await insertCredential(trx, holder, at),
      maker: await insertMaker(trx, maker.certificate.der, { officeId, at, by }),
    }
  })
}

async function seedParty({ db, clock }: System, by: Person, officeId: OfficeId) {
  const at = clock.now()
  const party = KnownParty.parse({
    ...{ id: randomUUID(), officeId, by: by.userId, at },
    ...{ name: 'Dora Ibáñez', rfc: 'IBAD800101QX1', email: null, character: 'Vendedora' },
  } satisfies Record<keyof KnownParty, unknown>)
  await db.transaction((trx) => upsertParties(trx, [party]))
  return { party: party.id, partySeenAt: at }
}

/** Colleagues in every state, and one whose second factors another administrator wants removed. */
async function seedUsers(system: System, started: StartedOffice) {
  const { office } = started
  const colleague = async (changes: Parameters<typeof storedUser>[3], isLocked = false) => {
    const user = await storedUser(system.db, office, ['CLERK'], changes)
    if (isLocked) await withTotp(system, user)
    return user
  }
  const user = await colleague({ firstName: 'Elena' }, true)
  const locked = await colleague({ firstName: 'Fabián' }, true)
  const titular = await personWithRole(system, started, 'titular@')
  const invited = await inviteUser(system, titular, {
    ...{ firstName: 'Gerardo', lastName: 'Vidal Soto', rfc: 'VISG900101QX4' as User['rfc'] },
    email: Email.parse('gerardo@notaria.example'),
    ...{
      curp: null,
      roles: ['CLERK'],
      capacity: null,
      capacityOf: null,
      capacityFrom: null,
      capacityTo: null,
    },
  })
  const asked = await requestFactorRemoval(system, titular, {
    userId: locked.id,
    reason: 'Perdió su teléfono y su llave.' as Parameters<
      typeof requestFactorRemoval
    >[2]['reason'],
  })
  if (asked.kind !== 'asked') throw new Error('another administrator must approve')
  return {
    ...(await seedYubikeys(system, user, started)),
    user: user.id,
    userSession: (await newSession(system, { user, office }, {}, 'TOTP')).session.id,
    invited: invited.user.id,
    suspended: (await colleague({ state: 'suspended' })).id,
    locked: locked.id,
    removal: asked.removal.id,
  }
}

async function seedSettings(
  system: System,
  { office, administrator, users }: StartedOffice,
  draft: DocumentId,
) {
  const { db, clock } = system
  const at = clock.now()
  const by = administrator.userId
  const authorities = [await aPrivateAuthority('Ofrecida'), await aPrivateAuthority('Aceptada')]
  const [offered = '', accepted = ''] = authorities.map(({ certificate }) =>
    sha256(certificate.der),
  )
  const made = { revocation: 'when-available', ocsp: [], since: at, by } as const
  const officeAlert = randomUUID()
  const asked = [
    ...[{ kind: 'timestamp', position: 1 } as const, { kind: 'timestamp', position: 2 } as const],
    { kind: 'constancia', position: 1 } as const,
  ]
  const providers = asked.map((place) =>
    ServiceProvider.parse({
      ...{ id: randomUUID(), officeId: office.id, name: 'Proveedor', ...place },
      ...{ url: 'https://tsa.example/', username: null, sealed: null, policy: null },
      ...{ state: 'active', stateSince: at, stateBy: by, cost: null },
    } satisfies Record<keyof ServiceProvider, unknown>),
  )
  await db.transaction(async (trx) => {
    for (const [index, { certificate }] of authorities.entries()) {
      const isAccepted = index === 1
      const reason = isAccepted ? 'La suite la necesita.' : null
      const state = isAccepted ? 'accepted' : 'offered'
      await replaceAuthority(trx, INSTALLATION, {
        ...made,
        sha256: sha256(certificate.der),
        certificate,
        state,
        reason,
      })
    }
    for (const provider of providers) await insertServiceProvider(trx, provider)
    await anAlert(trx, { officeId: office.id, userId: null, subjectId: officeAlert, at })
  })
  const holder = userCalled(users, 'titular@')
  return {
    ...(await db.transaction((trx) => seedObligations(trx, holder, at))),
    offered,
    accepted,
    officeAlert: await alertAbout(system, officeAlert),
    provider: providers[0]?.id ?? '',
    laterProvider: providers[1]?.id ?? '',
    constanciaProvider: providers[2]?.id ?? '',
    ...(await seedActs(system, administrator, office.id, draft)),
    ...(await seedNumbers(system, administrator, office.id)),
    noticeDigest: sha256('a notice that no page shows any more'),
  }
}

export const anAlert = (
  trx: Transaction,
  about: Pick<Parameters<typeof insertAlert>[1], 'officeId' | 'userId' | 'subjectId' | 'at'>,
) =>
  insertAlert(trx, {
    ...about,
    ...{ kind: 'key-anomaly', severity: 'warning', subjectKind: 'second-factor' },
    occasion: `matrix:${about.subjectId}`,
  })

export async function alertAbout({ db }: System, subjectId: string): Promise<string> {
  const row = await db.transaction((trx) =>
    trx.selectFrom('alerts').select('id').where('subject_id', '=', subjectId).executeTakeFirst(),
  )
  return row?.id ?? ''
}

/** One mail that waits and one that failed; an invitation holds a secret. */
async function seedMail({ db, clock }: System, officeId: OfficeId) {
  const at = clock.now()
  return await db.transaction(async (trx) => {
    const secret = await trx
      .selectFrom('outbox')
      .select('id')
      .where('to_address', '=', 'gerardo@notaria.example')
      .executeTakeFirst()
    const [failed = ''] = await queueMails(trx, [
      {
        officeId,
        to: { name: 'Elena', address: Email.parse('elena@notaria.example') },
        facts: { kind: 'alert', title: 'Contraseña cambiada', text: 'Se cambió.' },
        at,
        expiresAt: after(at, hours(100)),
      },
    ])
    await trx.updateTable('outbox').set({ state: 'failed' }).where('id', '=', failed).execute()
    return { mail: secret?.id ?? '', failedMail: failed }
  })
}
