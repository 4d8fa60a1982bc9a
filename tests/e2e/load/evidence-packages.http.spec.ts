import { performance } from 'node:perf_hooks'
import { expect, test } from '@playwright/test'
import { aPdf, type Deed, signDeed, signingParts, uploadDeed } from '#tests/e2e/support/deeds.ts'
import { type Client, signedInClient } from '#tests/e2e/support/http.ts'
import { type DemoServer, startDemoServer } from '#tests/support/processes/demo-server.ts'

const PACKAGES = 30
const SIGNATURES = 5
/** Of the time that a signature takes alone; behind the packages of others it would be tens. */
const MOST_TIMES = 5

let office: DemoServer
test.beforeAll(async () => {
  test.setTimeout(180_000)
  office = await startDemoServer()
})
test.afterAll(() => office?.stop())

const userOf = (role: string) => {
  const user = office.demo.users.find(({ roles }) => roles[0] === role)
  if (!user) throw new Error(`the demo has no ${role}`)
  return user
}

/** A signature by the form without scripts, in milliseconds. */
async function timeOfSigning(client: Client, { id }: Deed): Promise<number> {
  const parts = signingParts(userOf('NOTARY'))
  const start = performance.now()
  const { status } = await client.postParts(
    `/dashboard/documents/${id}/sign/without-scripts`,
    parts,
  )
  expect(status).toBe(303)
  return performance.now() - start
}

test('30 evidence packages that one user asks for at once: a signature takes little longer, and all are served', async () => {
  test.setTimeout(240_000)
  const { origin } = office.demo
  const deeds: Deed[] = []
  for (let n = 0; n <= 2 * SIGNATURES; n += 1)
    deeds.push(await uploadDeed(origin, userOf('CLERK'), aPdf(20)))
  const [signed, ...toSign] = deeds
  await signDeed(origin, signed!, userOf('NOTARY'))
  const notary = await signedInClient(origin, userOf('NOTARY'))
  const lawyer = await signedInClient(origin, userOf('LAWYER'))
  const address = `/dashboard/documents/${signed!.id}/evidence.zip`
  expect((await lawyer.get(address)).status).toBe(200)

  const alone: number[] = []
  for (const deed of toSign.slice(0, SIGNATURES)) alone.push(await timeOfSigning(notary, deed))
  const asking = Promise.all(Array.from({ length: PACKAGES }, () => lawyer.get(address)))
  let isAsking = true
  void asking.finally(() => {
    isAsking = false
  })
  const beside: number[] = []
  for (const deed of toSign.slice(SIGNATURES)) {
    const time = await timeOfSigning(notary, deed)
    if (isAsking) beside.push(time)
  }
  const statuses = (await asking).map(({ status }) => status)
  console.log(`a signature alone ${shown(alone)} ms, beside packages ${shown(beside)} ms`)
  expect(beside.length).toBeGreaterThan(0)
  expect(median(beside)).toBeLessThan(MOST_TIMES * median(alone))
  expect(statuses).toEqual(Array.from({ length: PACKAGES }, () => 200))
})

const median = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!

const shown = (times: readonly number[]) => times.map(Math.round).join(', ')
