import type { SampleSigner } from '#server/demo/asked-signer.ts'
import { seriesOfKind } from '#server/domain/documents/numbers/number-series.ts'
import { numberIn } from '#server/domain/documents/numbers/series-number.ts'
import { after, before, days, hours, type Instant, minutes } from '#server/domain/time.ts'
import type { Chance } from './chance.ts'
import { drawClient, rfcOf } from './clients.ts'
import type { Fate } from './fates.ts'
import { type Sitting, signLater } from './sittings.ts'
import type { PlannedDocument, PlannedSession, Task } from './work.ts'

/** What the plan of a document depends on. */
export type Scene = {
  sittings: readonly Sitting[]
  /** The first working time at or after an instant; undefined after the year. */
  openAt(at: Instant): Instant | undefined
  fateOf(document: PlannedDocument): Fate
  end: Instant
  chance: Chance
}

const REJECTIONS = [
  'Falta agregar el régimen matrimonial de la parte vendedora.',
  'El importe no coincide con el de la carta de instrucción.',
  'La identificación del apoderado está vencida.',
  'El nombre de una de las partes está mal escrito.',
  'Falta el antecedente de propiedad en la declaración primera.',
]
const CANCELLATIONS = [
  'Las partes desistieron de la operación.',
  'El banco cambió las condiciones del crédito.',
  'Se hará en otra fecha, con un documento nuevo.',
  'Una de las partes prefirió firmar en papel.',
]
const WITHDRAWALS = [
  'Se subió por error.',
  'NO PASÓ: las partes no se presentaron.',
  'Está repetido: se trabaja con el otro proyecto.',
  'El cliente pidió otra redacción.',
]
const MESSAGES = [
  'Revise los datos de las partes antes de firmar.',
  'Urge para el aviso al Registro Público.',
  'Va con las correcciones que pidió.',
]
const LAWYERS = ['abogada', 'proyectista', 'abogada-corporativa']
const NOTARIES = [
  { slug: 'notaria-titular', weight: 13 },
  { slug: 'notario-suplente', weight: 4 },
  { slug: 'notaria-adscrita', weight: 3 },
]

/** Everything that happens to a document, but for the signatures, which are put into the sittings. */
export function planDocument(document: PlannedDocument, scene: Scene): Task[] {
  const { uploadedAt: at, by } = document
  const upload: Task = { at, by, document, work: { kind: 'upload' } }
  return [upload, ...TASKS_OF[scene.fateOf(document)](document, scene)]
}

type Planner = (document: PlannedDocument, scene: Scene) => Task[]

const TASKS_OF: Record<Fate, Planner> = {
  'stays-draft': (document, scene) => tickList(document, scene),
  withdrawn: (document, scene) => {
    const { openAt, chance } = scene
    const at = openAt(after(document.uploadedAt, days(1 + chance.below(20))))
    const work = { kind: 'cancel', reason: chance.pick(WITHDRAWALS) } as const
    if (!at) return []
    // Users withdraw what they uploaded themselves.
    return [{ at, by: document.by, document, work }, ...explainLeft(document, scene, at)]
  },
  'signed-alone': (document, scene) => {
    const { sittings, chance } = scene
    const { slug } = chance.weighted(NOTARIES)
    const ready = after(document.uploadedAt, minutes(30))
    return useSigned(document, scene, signLater(sittings, slug, { document, isLast: true }, ready))
  },
  'signed-together': (document, scene) => {
    const { signers, tasks, openedAt } = openSession(document, scene, null)
    const signedAt = signInTurn(document, scene, signers, openedAt)
    return [...tasks, ...useSigned(document, scene, signedAt)]
  },
  'session-open': (document, scene) => {
    const { chance, end } = scene
    const deadline = chance.below(2) === 0 ? after(end, days(3 + chance.below(20))) : null
    const asked = withColleagues(chance, 'notaria-titular')
    const { signers, tasks, openedAt } = openSession(document, scene, deadline, asked)
    // It waits for the notary.
    signInTurn(document, scene, signers.slice(0, 1), openedAt, false)
    return tasks
  },
  rejected: (document, scene) => {
    const { openAt, chance } = scene
    const { signers, tasks, openedAt } = openSession(document, scene, null)
    const [first, last] = [signers[0], signers.at(-1)]
    const signedAt = first && signInTurn(document, scene, [first], openedAt, false)
    const at = signedAt && openAt(after(signedAt, hours(2 + chance.below(40))))
    if (!at || !last || !('slug' in last)) return tasks
    const work = { kind: 'reject', reason: chance.pick(REJECTIONS) } as const
    const rejecting: Task = { at, by: last.slug, document, work }
    const noted = openAt(after(at, hours(3 + chance.below(60))))
    const note: Task[] = noted
      ? [{ at: noted, by: document.by, document, work: { kind: 'note-rejection' } }]
      : []
    return [...tasks, rejecting, ...note, ...explainLeft(document, scene, at)]
  },
  'session-cancelled': (document, scene) => {
    const { openAt, chance } = scene
    const { tasks, openedAt } = openSession(document, scene, null, withClients(chance))
    const at = openAt(after(openedAt, days(2 + chance.below(15))))
    const work = { kind: 'cancel-session', reason: chance.pick(CANCELLATIONS) } as const
    return at ? [...tasks, { at, by: document.by, document, work }] : tasks
  },
  'session-late': (document, scene) => {
    const { openAt, chance } = scene
    const deadline = after(document.uploadedAt, days(6 + chance.below(8)))
    const opened = openSession(document, scene, deadline, withClients(chance))
    const late: Task = {
      ...{ at: after(deadline, minutes(1)), by: document.by, document },
      work: { kind: 'expire-session' },
    }
    const isRecent = deadline > before(scene.end, days(28))
    const at = isRecent ? undefined : openAt(after(deadline, days(3 + chance.below(9))))
    const work = { kind: 'cancel-session', reason: chance.pick(CANCELLATIONS) } as const
    const given: Task[] = at ? [{ at, by: document.by, document, work }] : []
    return [...opened.tasks, late, ...given]
  },
}

/** A lawyer of the office, and then a notary. */
function withColleagues(chance: Chance, slug = chance.weighted(NOTARIES).slug): SampleSigner[] {
  return [
    { slug: chance.pick(LAWYERS), step: 1, character: 'Responsable del trámite' },
    { slug, step: 2, character: null },
  ]
}

/** Two clients, and then the notary. */
function withClients(chance: Chance): SampleSigner[] {
  const client = (character: string): SampleSigner => {
    const drawn = drawClient(chance)
    return { name: drawn.name, rfc: rfcOf(drawn, chance), character, step: 1 }
  }
  const parties = [client('Parte otorgante'), client('Parte aceptante')]
  return [...parties, { slug: 'notaria-titular', step: 2, character: null }]
}

/** The steps that open a session over the document. */
function openSession(
  document: PlannedDocument,
  { chance }: Scene,
  deadline: Instant | null,
  signers = withColleagues(chance),
): { tasks: Task[]; signers: readonly SampleSigner[]; openedAt: Instant } {
  const message = chance.below(3) === 0 ? chance.pick(MESSAGES) : null
  const session: PlannedSession = { once: uuidFrom(chance), message, deadline, signers }
  const createdAt = after(document.uploadedAt, minutes(3 + chance.below(9)))
  const openedAt = after(createdAt, minutes(1 + chance.below(6)))
  const { by } = document
  return {
    ...{ signers, openedAt },
    tasks: [
      { at: createdAt, by, document, work: { kind: 'create-session', session } },
      { at: openedAt, by, document, work: { kind: 'open-session' } },
    ],
  }
}

/**
 * Puts the signatures of these signers into their sittings, one after the other.
 *
 * @param isComplete whether the last of them completes the document
 * @returns about when the last of them is made; undefined if the year ends before
 */
function signInTurn(
  document: PlannedDocument,
  { sittings }: Scene,
  signers: readonly SampleSigner[],
  openedAt: Instant,
  isComplete = true,
): Instant | undefined {
  let ready: Instant | undefined = after(openedAt, minutes(10))
  for (const [place, signer] of signers.entries()) {
    if (!ready || !('slug' in signer)) return undefined
    const isLast = isComplete && place === signers.length - 1
    ready = signLater(sittings, signer.slug, { document, isLast }, ready)
  }
  return ready
}

/** A lawyer says in the next days why the number of the document stays unused. */
function explainLeft(document: PlannedDocument, { openAt, chance }: Scene, left: Instant): Task[] {
  const { kind, instrument } = document.deed
  const [seriesId, number] = [seriesOfKind(kind), numberIn(instrument?.number ?? '')]
  const at = openAt(after(left, days(1 + chance.below(14))))
  if (!at || !seriesId || number === undefined) return []
  const reason = 'NO PASÓ: se canceló antes de firmarse'
  const work = { kind: 'explain-number', seriesId, number, reason } as const
  return [{ at, by: 'abogada', document: null, work }]
}

/** Of some signed documents a copy is issued, and some are looked up by the public. */
function useSigned(
  document: PlannedDocument,
  { openAt, end, chance }: Scene,
  signedAt: Instant | undefined,
): Task[] {
  const { deed, by } = document
  if (!signedAt) return []
  const copied = openAt(after(signedAt, days(1 + chance.below(12))))
  const seen = openAt(after(signedAt, hours(20 + chance.below(500))))
  const [client] = deed.instrument?.parties ?? []
  const [isCopied, isSeen] = [chance.below(3) === 0, chance.below(5) === 0]
  const once = uuidFrom(chance)
  const recipient = client?.name ?? ''
  const sheets = 2 + chance.below(9)
  const ip = `203.0.113.${1 + chance.below(200)}`
  const work = { kind: 'record-copy', once, recipient, sheets } as const
  const tasks: Task[] = []
  if (copied && isCopied && client && COPIED.has(deed.kind))
    tasks.push({ at: copied, by, document, work })
  if (seen && isSeen && deed.kind !== 'will' && seen > before(end, LOOKED_UP))
    tasks.push({ at: seen, by, document, work: { kind: 'verify-in-public', ip } })
  return tasks
}

const COPIED = new Set(['deed', 'power-of-attorney', 'ratification', 'act'])
/** So far back the dashboard counts. */
const LOOKED_UP = days(84)

/** Drafts of sales have the list of their act, half done. */
function tickList(document: PlannedDocument, { openAt, chance }: Scene): Task[] {
  const { deed, by, uploadedAt } = document
  const act = 'Compraventa'
  if (deed.instrument?.acts !== act) return []
  const added = openAt(after(uploadedAt, hours(1)))
  if (!added) return []
  const tick = (position: number): Task[] => {
    const at = openAt(after(added, hours(position * (4 + chance.below(20)))))
    return at ? [{ at, by, document, work: { kind: 'tick', act, position } }] : []
  }
  const list: Task = { at: added, by, document, work: { kind: 'add-list', act } }
  return [list, ...[1, 2, 3].slice(0, 1 + chance.below(3)).flatMap(tick)]
}

/** @see RFC 9562, 5.4 */
export function uuidFrom(chance: Chance): string {
  const hex = Array.from({ length: 30 }, () => chance.below(16).toString(16)).join('')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(12, 15)}`]
  return [...parts, `8${hex.slice(15, 18)}`, hex.slice(18, 30)].join('-')
}
