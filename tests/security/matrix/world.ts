import type { Person } from '#server/domain/identity/actor.ts'
import type { Role } from '#server/domain/identity/role.ts'

/** Who asks. The five roles are of one office; each of them has this role alone. */
export const ACTORS = [
  'ADMIN',
  'NOTARY',
  'LAWYER',
  'CLERK',
  'AUDITOR',
  /** An administrator and notary who proved who they are long ago. */
  'stale',
  /** An administrator and notary who must change the password first. */
  'with-password-duty',
  /** An administrator and notary who must set up a second factor first. */
  'without-factor',
  /** An administrator and notary of another office. */
  'foreigner',
  /** An external signer of the open session. */
  'guest',
  /** The same, before consent to the aviso de privacidad. */
  'guest-without-consent',
  /** An external signer of a session of the other office. */
  'foreign-guest',
  /** A program with an access token of the notary. */
  'program',
  /** A person whose password was right and whose second factor is awaited. */
  'between-factors',
  'stranger',
] as const
export type ActorName = (typeof ACTORS)[number]

export const ROLE_ACTORS = [
  'ADMIN',
  'NOTARY',
  'LAWYER',
  'CLERK',
  'AUDITOR',
] as const satisfies Role[]

/** What belongs to one actor; empty for one without an account. */
export type Own = {
  otherSession: string
  key: string
  token: string
  alert: string
  /** That they hold, and the version of it. */
  yubikey: string
  kept: string
  seenAt: number
}

/** How an actor asks, as its browser or program does. */
export type Credentials = {
  name: ActorName
  cookies: Record<string, string>
  csrf: string
  /** Outside of the pages of links, where a guest is a stranger. */
  csrfElsewhere: string
  authorization: string | null
  /** Null for strangers and guests. */
  person: Pick<Person, 'officeId' | 'roles' | 'provenAt' | 'duty' | 'userId'> | null
  own: Own
}

/** Ids in the office that is asked about. */
export type Things = {
  officeId: string
  draft: string
  /** See `digestOfDescription`. */
  draftSeen: string
  otherDraft: string
  /** The only one whose file may be purged: the rows come back, the file does not. */
  mistake: string
  /** Waits in the open session for everybody. */
  awaited: string
  /** Of an upload with a judgement. */
  judgement: string
  signed: string
  /** With which it was signed. */
  certificate: string
  draftSession: string
  draftSigner: string
  otherDraftSigner: string
  openSession: string
  openSigner: string
  /** External, with a link. */
  linkedSigner: string
  /** The document of the draft session. */
  ofDraft: string
  signedVersion: number
  /** Issued of the signed document, recorded by a notary. */
  copy: string
  /** A request about personal data whose identity is not proven, and one that was granted. */
  arco: string
  grantedArco: string
  /** Whose term is over: proposed, and blocked by another person so long ago that it may be destroyed. */
  retained: string
  blocked: string
  act: string
  otherAct: string
  actSeenAt: number
  /** Of the list of `act`; a draft has that of `otherAct`. */
  listSeenAt: number
  /** A series of the office's own, which has started. */
  series: string
  /** Of that series: set apart, and without a document for a reason. */
  reservedNumber: string
  unusedNumber: string
  seriesSeenAt: number
  /** Of the office's own: one that is on, and one that is off. */
  obligation: string
  offObligation: string
  obligationSeenAt: number
  nonWorkingDay: string
  deadline: string
  doneDeadline: string
  party: string
  partySeenAt: number
  user: string
  userSession: string
  invited: string
  suspended: string
  /** Whose second factors an administrator wants removed. */
  locked: string
  removal: string
  mail: string
  failedMail: string
  officeAlert: string
  offered: string
  accepted: string
  provider: string
  laterProvider: string
  /** Of constancias, which have a cost. */
  constanciaProvider: string
  noticeDigest: string
  /** In stock. */
  yubikey: string
  /** Whose holder is `user`, with one of their credentials. */
  heldYubikey: string
  linkedCredential: string
  otherCredential: string
  /** Linked with `heldYubikey`. */
  holdersCertificate: string
  maker: string
}

/** In the data folder. */
export const WORLD_FILE = 'world.json'

export type World = { actors: Record<ActorName, Credentials>; things: Things }
