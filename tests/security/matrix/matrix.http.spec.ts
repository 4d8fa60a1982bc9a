import { expect } from '@playwright/test'
import { ACTIONS, isAllowed } from '#server/domain/policy/authorize.ts'
import { ask, requestFor, type Variant } from './ask.ts'
import { CALLS } from './calls.ts'
import { type Expected, expectedFor } from './expected.ts'
import { FORMS } from './forms.ts'
import { matrixTest as test } from './matrix-fixture.ts'
import type { MatrixServer } from './matrix-server.ts'
import { PAGES } from './pages.ts'
import type { Asked } from './request.ts'
import { ROUTE_IDS, type RouteFacts, routeCalled } from './route-facts.ts'
import { ACTORS, type Credentials, ROLE_ACTORS } from './world.ts'

type Cell = {
  name: string
  route: RouteFacts
  asked: Asked & { method?: string }
  isCall: boolean
}

const CELLS: readonly Cell[] = [
  ...Object.entries(PAGES).map(([route, asked]) => ({
    ...{ name: route, route: routeCalled(route), asked, isCall: false },
  })),
  ...Object.entries(FORMS).flatMap(([route, forms]) =>
    Object.entries(forms).map(([form, asked]) => ({
      ...{ name: `${route} ${form}`, route: routeCalled(route), asked, isCall: false },
    })),
  ),
  ...Object.entries(CALLS).map(([call, asked]) => ({
    ...{ name: call, route: routeCalled('routes/api/call'), asked, isCall: true },
  })),
]

for (const name of ACTORS)
  test(`role matrix: ${name} gets exactly what the rules say, and a refusal changes no row`, async ({
    matrix,
  }) => {
    test.setTimeout(600_000)
    const actor = matrix.world.actors[name]
    const wrong: string[] = []
    for (const cell of CELLS)
      for (const variant of ['document', 'data'] as const)
        wrong.push(...(await faultsOf(matrix, actor, cell, variant)))
    expect(wrong).toEqual([])
  })

test('role matrix: names every route, every call and every action of the table', async ({
  matrix,
}) => {
  expect(Object.keys(PAGES).toSorted()).toEqual(ROUTE_IDS.toSorted())
  const described = await ask(
    matrix,
    matrix.world.actors.ADMIN,
    { path: '/api/v1/openapi.json', method: 'GET', sent: undefined },
    'document',
  )
  const { paths } = JSON.parse(described.text) as { paths: Record<string, Record<string, unknown>> }
  const operations = Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap((one) =>
      one && typeof one === 'object' && 'operationId' in one ? [String(one.operationId)] : [],
    ),
  )
  expect(Object.keys(CALLS).toSorted()).toEqual([...operations, 'getOpenApi'].toSorted())
  const asked = new Set<string>(CELLS.map(({ asked: { rule } }) => rule))
  expect(ACTIONS.filter((action) => !asked.has(action))).toEqual([OF_BLOCKED, SHOWS_MORE])
})

/** Of a document that a job proposed: tests/integration/features/care/retention.test.ts asks for it. */
const OF_BLOCKED = 'document.read-blocked'

/** Refuses nothing: it shows more of a page. */
const SHOWS_MORE = 'users.read-access'

test('role matrix: the sessions of a colleague are shown to the roles that may see them', async ({
  matrix,
}) => {
  const { actors, things } = matrix.world
  for (const role of ROLE_ACTORS)
    for (const variant of ['document', 'data'] as const) {
      const path = `/dashboard/users/${things.user}`
      const request = { path, method: 'GET', sent: undefined }
      const { text } = await ask(matrix, actors[role], request, variant)
      expect([role, variant, text.includes(things.userSession)]).toEqual([
        ...[role, variant, isAllowed([role], SHOWS_MORE)],
      ])
    }
})

async function faultsOf(
  matrix: MatrixServer,
  actor: Credentials,
  cell: Cell,
  variant: Variant,
): Promise<string[]> {
  const first = await faultsOnce(matrix, actor, cell, variant)
  // A job of the server may have written between two looks; a fault of a route comes back.
  return first.length === 0 ? [] : await faultsOnce(matrix, actor, cell, variant)
}

async function faultsOnce(
  matrix: MatrixServer,
  actor: Credentials,
  cell: Cell,
  variant: Variant,
): Promise<string[]> {
  await matrix.restore()
  const request = requestFor(matrix, cell.asked, actor)
  const { things } = matrix.world
  const { status, outcome } = expectedFor({ actor, ...request, ...cell, things, variant })
  const answer = await ask(matrix, actor, request, variant)
  const at = `${cell.name} (${request.method}${variant === 'data' ? ' .data' : ''})`
  const faults: string[] = []
  if (answer.status !== status) faults.push(`${answer.status} instead of ${status}`)
  if (outcome !== 'passed') faults.push(...writtenBy(matrix, outcome))
  return faults.map((fault) => `${at}: ${outcome}, and ${fault}`)
}

const COUNTED = /^(?:vain_)?attempts:/
const COUNTED_OR_KEPT = /^(?:(?:vain_)?attempts|kept_requests):/

/** What a refused request may not have written. A refusal of the action is one event, and no other is. */
function writtenBy(matrix: MatrixServer, outcome: Expected['outcome']): string[] {
  const may = outcome === 'step-up-needed' ? COUNTED_OR_KEPT : COUNTED
  const changes = matrix.changes().filter((change) => !may.test(change))
  const logged = matrix.events()
  const refusals = logged.filter((event) => event === 'access.refused refused').length
  const isLogged =
    logged.length === refusals &&
    (outcome === 'forbidden'
      ? refusals === 1
      : refusals === 0 || (outcome === 'not-found' && refusals === 1))
  return isLogged ? changes : [...changes, `logged ${JSON.stringify(logged)}`]
}
