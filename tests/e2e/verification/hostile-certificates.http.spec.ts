import { expect, test } from '#tests/e2e/support/fixtures.ts'
import { type Client, clientOf } from '#tests/e2e/support/http.ts'
import { certificateMesh } from '#tests/support/authorities/certificate-mesh.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'

/** A signed file with `people` whose certificates each of `authorities` may have issued. */
async function fileWithMesh(mesh: Parameters<typeof certificateMesh>[0]): Promise<Uint8Array> {
  const { people, authorities } = await certificateMesh(mesh)
  const certificates = [...people, ...authorities].map(({ der }) => der)
  const room = 20_000 + certificates.reduce((sum, { length }) => sum + length, 0)
  return await handSigned({ seal: sealOf(await testEfirma(), certificates), room })
}

/** The longest of these requests to a page that asks nothing of the machine, in milliseconds. */
async function longestWait(client: Client, isOver: () => boolean): Promise<number> {
  let longest = 0
  for (let count = 0; count < 10 || !isOver(); count += 1) {
    const start = performance.now()
    const { status } = await client.get('/api/v1/auth/health')
    expect(status).toBe(200)
    longest = Math.max(longest, performance.now() - start)
  }
  return longest
}

for (const [what, mesh] of [
  ['keys that take long to check', { bits: 8192, exponentBits: 32 }],
  ['keys too large to check', { bits: 16384, exponentBits: 32 }],
] as const)
  test(`file full of ${what}: judged while other requests are answered`, async ({ demo }) => {
    test.slow()
    const content = await fileWithMesh({ people: 20, authorities: 150, ...mesh })
    const [stranger, other] = [clientOf(demo.origin), clientOf(demo.origin)]
    const empty = await longestWait(other, () => true)
    let isOver = false
    const judged = stranger
      .postParts('/verify/document/report.json', [{ name: 'file', fileName: 'malla.pdf', content }])
      .finally(() => {
        isOver = true
      })
    const beside = await longestWait(other, () => isOver)
    const { status, text } = await judged
    test.info().annotations.push({ type: 'waits', description: `${empty} ms, ${beside} ms` })
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({ verdict: 'INDETERMINATE' })
    // Other work of a busy machine may delay a request; judging in the request thread would delay it by more than 20 s.
    expect(beside).toBeLessThan(3 * empty + 2_000)
  })
