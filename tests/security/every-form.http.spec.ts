import { expect } from '@playwright/test'
import { ask, requestFor } from './matrix/ask.ts'
import { CALLS } from './matrix/calls.ts'
import { expectedFor } from './matrix/expected.ts'
import { FORMS } from './matrix/forms.ts'
import { matrixTest as test } from './matrix/matrix-fixture.ts'
import type { MatrixServer } from './matrix/matrix-server.ts'
import type { Asked, Sent } from './matrix/request.ts'
import { routeCalled } from './matrix/route-facts.ts'
import { type Credentials, ROLE_ACTORS } from './matrix/world.ts'

type Form = {
  name: string
  asked: Asked
  actor: Credentials
  sent: Sent & { kind: 'form' | 'parts' }
}

/** Every form of the site map with fields, as one sends it who may. */
function formsOf({ world }: MatrixServer): Form[] {
  return Object.entries(FORMS).flatMap(([route, forms]) =>
    Object.entries(forms).flatMap(([name, asked]): Form[] => {
      const actors = ['between-factors' as const, ...ROLE_ACTORS, 'guest' as const]
      const actor = actors
        .map((one) => world.actors[one])
        .find((one) => {
          const request = requestFor({ world }, asked, one)
          const expected = expectedFor({
            ...{ asked, actor: one, things: world.things, isCall: false, variant: 'document' },
            ...request,
            route: routeCalled(route),
          })
          return expected.outcome === 'passed'
        })
      if (!actor) throw new Error(`no actor may send ${route} ${name}`)
      const { sent } = requestFor({ world }, asked, actor)
      if (sent?.kind !== 'form' && sent?.kind !== 'parts') return []
      return [{ name: `${route} ${name}`, asked, actor, sent }]
    }),
  )
}

const fieldsOf = ({ sent }: Form): [string, string][] =>
  sent.kind === 'form'
    ? sent.fields.map(([name, value]) => [name, value])
    : Object.entries(sent.fields)

/** The same form with other fields. */
function withFields({ sent }: Form, fields: [string, string][]): Sent {
  return sent.kind === 'form'
    ? { kind: 'form', fields }
    : { ...sent, fields: Object.fromEntries(fields) }
}

async function answerTo(matrix: MatrixServer, form: Form, sent: Sent) {
  await matrix.restore()
  const request = { ...requestFor(matrix, form.asked, form.actor), sent }
  // As data: a page may send on from an answer that it would show.
  return await ask(matrix, form.actor, request, 'data')
}

/** Attempts are counted, and a refusal of the log is no change of it. */
const COUNTED = /^(?:(?:vain_)?attempts|kept_requests):/

const LONG = 'x'.repeat(30_000)
/** Forms that do the same whatever the field says. */
const UNREAD: readonly RegExp[] = [
  // The page before is shown again.
  /^routes\/profile\/theme /,
  // Kept for its user, whatever it holds.
  /^routes\/auth\/keep-form /,
  // There is an office already.
  /^routes\/auth\/activate-installation-page /,
]

/** Forms whose refusal is a sentence on the page before. */
const REDIRECTING = /^routes\/dashboard\/undo /

test('V2.2.2 every form: a field that no page of ours would send changes no row', async ({
  matrix,
}) => {
  test.setTimeout(600_000)
  const wrong: string[] = []
  for (const form of formsOf(matrix).filter(({ name }) => !UNREAD.some((one) => one.test(name))))
    for (const [at, [field]] of fieldsOf(form).entries())
      for (const [what, value] of [
        ['too long', LONG],
        ['with a NUL', 'a\0b'],
        ['twice', undefined],
      ] as const) {
        const fields = fieldsOf(form).flatMap(([name, sent], index): [string, string][] => {
          if (index !== at) return [[name, sent]]
          return value === undefined
            ? [
                [name, sent],
                [name, 'otra cosa'],
              ]
            : [[name, value]]
        })
        if (value === undefined && form.sent.kind === 'parts') continue
        const { status } = await answerTo(matrix, form, withFields(form, fields))
        const changes = matrix.changes().filter((change) => !COUNTED.test(change))
        const isRefused = (status >= 400 && status < 500) || REDIRECTING.test(form.name)
        if (!isRefused || changes.length > 0)
          wrong.push(`${form.name}, ${field} ${what}: ${status} ${changes}`)
      }
  expect(wrong).toEqual([])
})

test('V1.3.12 every text of every call: a hostile text is answered within 300 ms', async ({
  matrix,
}) => {
  const slow: string[] = []
  const { actors } = matrix.world
  for (const [name, asked] of Object.entries(CALLS)) {
    const actor = actors[asked.rule === 'program' ? 'program' : 'NOTARY']
    const request = requestFor(matrix, asked, actor)
    const body = request.sent?.kind === 'json' ? Object.entries(request.sent.body as object) : []
    for (const [field] of body.filter(([, value]) => typeof value === 'string')) {
      const hostile = Object.fromEntries(
        body.map(([key, value]) => [key, key === field ? HOSTILE : value]),
      )
      const sent = { kind: 'json', body: hostile } as const
      const fastest = await fastestOf(matrix, () =>
        ask(matrix, actor, { ...request, sent }, 'document'),
      )
      if (fastest > LONGEST_MS) slow.push(`${name}, ${field}: ${fastest.toFixed(0)} ms`)
    }
  }
  expect(slow).toEqual([])
})

/** The machine may be busy; a text that takes long takes long each time. */
async function fastestOf(matrix: MatrixServer, work: () => Promise<unknown>): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 4 && fastest > LONGEST_MS; tries += 1) {
    await matrix.restore()
    const began = performance.now()
    await work()
    fastest = Math.min(fastest, performance.now() - began)
  }
  return fastest
}

const MARK = '7f3a11ed-0000-4000-8000-00000000cafe'
const EVIL = [
  'id',
  'userId',
  'officeId',
  'office_id',
  'role',
  'roles',
  'role-ADMIN',
  'isAdmin',
  'state',
  'by',
  '__proto__',
  'constructor',
]

/** One page; a limit of all answers together would let one take long. */
const LONGEST_MS = 300
const HOSTILE = `${'a'.repeat(50_000)}!`

test('V1.3.12 every field of every form: a hostile text is refused within 300 ms', async ({
  matrix,
}) => {
  test.setTimeout(600_000)
  const slow: string[] = []
  for (const form of formsOf(matrix))
    for (const [at, [field]] of fieldsOf(form).entries()) {
      const fields = fieldsOf(form).map(([name, sent], index): [string, string] => [
        name,
        index === at ? HOSTILE : sent,
      ])
      const fastest = await fastestOf(matrix, () =>
        answerTo(matrix, form, withFields(form, fields)),
      )
      if (fastest > LONGEST_MS) slow.push(`${form.name}, ${field}: ${fastest.toFixed(0)} ms`)
    }
  expect(slow).toEqual([])
})

test('V15.3.3 unknown fields of a form: refused or left out, and stored nowhere', async ({
  matrix,
}) => {
  test.setTimeout(600_000)
  const wrong: string[] = []
  for (const form of formsOf(matrix)) {
    const known = new Set(fieldsOf(form).map(([name]) => name))
    const more = EVIL.filter((name) => !known.has(name))
    const fields = [...fieldsOf(form), ...more.map((name): [string, string] => [name, MARK])]
    const { status } = await answerTo(matrix, form, withFields(form, fields))
    const stored = matrix.find(MARK)
    if (status >= 500 || stored.length > 0) wrong.push(`${form.name}: ${status} ${stored}`)
  }
  expect(wrong).toEqual([])
})
