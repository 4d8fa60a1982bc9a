import { type Choice, chosenFacts } from './chosen-facts.ts'
import { changeFact } from './codes/change-codes.ts'
import type { Parameters } from './codes/coded-fact.ts'
import { type Warning, warning } from './codes/warning.ts'
import { type Change, MODIFICATION_LEVELS, type SignatureReport } from './report.ts'

/* A file decides how many facts there are about it; a report with more is of no use to readers, and slow to draw. */

/** In all signatures of a report. */
export const MOST_CHANGES = 2000
const MOST_LOCKS = 20
/** Of one lock. */
export const MOST_FIELDS = 50
const MOST_FIELDS_OF_ALL = 2000
/** Of one signature. */
export const MOST_TIMESTAMPS = 20
const MOST_TIMESTAMPS_OF_ALL = 1000
/** Of one signature. */
export const MOST_WARNINGS = 50
const MOST_WARNINGS_OF_ALL = 2000
/** Of each kind of facts. */
const MOST_LETTERS = 400_000

type Bounded = {
  signatures: SignatureReport[]
  /** How many facts are left out. */
  warnings: Warning[]
}

/**
 * The same signatures with the most important facts about them, and how many are left out. What follows from the
 * facts is decided before: indications and verdict are about all of them.
 */
export function boundedSignatures(signatures: readonly SignatureReport[]): Bounded {
  const changes = boundedChanges(signatures.map((one) => one.changes))
  const fieldMdp = boundedLocks(signatures.map((one) => one.fieldMdp))
  const timestamps = chosenFacts(
    signatures.map((one) => one.timestamps),
    TIMESTAMPS,
  )
  const warnings = chosenFacts(
    signatures.map((one) => one.warnings),
    WARNINGS,
  )
  const bounded = signatures.map((one, at) => ({
    ...one,
    changes: changes[at]!,
    fieldMdp: fieldMdp[at]!,
    timestamps: timestamps[at]!,
    warnings: warnings[at]!,
  }))
  return { signatures: bounded, warnings: leftOut(signatures, bounded) }
}

function leftOut(whole: readonly SignatureReport[], bounded: readonly SignatureReport[]) {
  const said = (
    code: 'fields-left-out' | 'timestamps-left-out' | 'warnings-left-out',
    countIn: (signature: SignatureReport) => number,
  ) => {
    const [total, listed] = [whole, bounded].map((all) => sum(all.map(countIn))) as [number, number]
    return listed < total ? [warning(code, { total, listed })] : []
  }
  const [before, listed] = [whole, bounded].map(listedChangesIn) as [number, number]
  return [
    ...(listed < before ? [warning('changes-left-out', { total: changesIn(whole), listed })] : []),
    ...said('fields-left-out', ({ fieldMdp }) => sum(fieldMdp.map(({ fields }) => fields.length))),
    ...said('timestamps-left-out', (one) => one.timestamps.length),
    ...said('warnings-left-out', (one) => one.warnings.length),
  ]
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

/** With those that `more-changes` counts. */
const changesIn = (signatures: readonly SignatureReport[]) =>
  sum(signatures.flatMap(({ changes }) => changes.map(countOf)))

const listedChangesIn = (signatures: readonly SignatureReport[]) =>
  sum(signatures.map(({ changes }) => changes.filter(isListed).length))

const countOf = (change: Change) => (change.code === 'more-changes' ? change.parameters.count : 1)
const isListed = ({ code }: Change) => code !== 'more-changes'

function boundedChanges(lists: readonly (readonly Change[])[]): Change[][] {
  const chosen = chosenFacts(
    lists.map((changes) => changes.filter(isListed)),
    // Each signature may need one more, which says how many follow.
    { ...CHANGES, most: MOST_CHANGES - lists.length },
  )
  return lists.map((changes, at) => withRest(changes, chosen[at]!))
}

/** The chosen ones, and one that counts the others. */
function withRest(changes: readonly Change[], chosen: readonly Change[]): Change[] {
  const kept = new Set(chosen)
  const rest = changes.filter((change) => !kept.has(change))
  const worst = rest.toSorted((a, b) => levelOf(b) - levelOf(a))[0]
  if (!worst) return [...chosen]
  const { revision, level, object } = worst
  const count = sum(rest.map(countOf))
  return [...chosen, { revision, level, object, ...changeFact('more-changes', { count }) }]
}

const levelOf = ({ level }: Change) => MODIFICATION_LEVELS.indexOf(level)

type Lock = SignatureReport['fieldMdp'][number]

function boundedLocks(lists: readonly (readonly Lock[])[]): Lock[][] {
  const kept = lists.map((locks) => locks.slice(0, MOST_LOCKS))
  const fields = chosenFacts(
    kept.flat().map((lock) => lock.fields),
    FIELDS,
  ).values()
  return kept.map((locks) => locks.map((lock) => ({ ...lock, fields: fields.next().value ?? [] })))
}

const lettersIn = ({ parameters }: { parameters: Parameters }) =>
  sum(Object.values(parameters).map((value) => (typeof value === 'string' ? value.length : 0)))

const CHANGES: Choice<Change> = {
  most: MOST_CHANGES,
  ofEach: MOST_CHANGES,
  letters: MOST_LETTERS,
  lettersIn,
  ranksOf: (changes) => changes.map(levelOf),
}

const FIELDS: Choice<string> = {
  most: MOST_FIELDS_OF_ALL,
  ofEach: MOST_FIELDS,
  letters: MOST_LETTERS,
  lettersIn: (field) => field.length,
  ranksOf: () => [],
}

/** Those that count come first. */
const TIMESTAMPS: Choice<SignatureReport['timestamps'][number]> = {
  most: MOST_TIMESTAMPS_OF_ALL,
  ofEach: MOST_TIMESTAMPS,
  letters: MOST_LETTERS,
  lettersIn: ({ authority, reason }) => (authority?.length ?? 0) + (reason ? lettersIn(reason) : 0),
  ranksOf: (stamps) => stamps.map(({ trusted, valid }) => Number(trusted) * 2 + Number(valid)),
}

/** The first one says why a signature did not pass; then one of each code. */
const WARNINGS: Choice<Warning> = {
  most: MOST_WARNINGS_OF_ALL,
  ofEach: MOST_WARNINGS,
  letters: MOST_LETTERS,
  lettersIn,
  ranksOf: (warnings) => {
    const known = new Set<string>()
    return warnings.map(({ code }, place) => {
      const isNew = !known.has(code)
      known.add(code)
      return place === 0 ? 2 : Number(isNew)
    })
  },
}
