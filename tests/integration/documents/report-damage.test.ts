import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { Problem } from '#server/domain/problem.ts'
import { reportDamage, reportingDamage } from '#server/steps/signing/report-damage.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { aSignedDocument, aVersion } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

const streamOf = (pieces: Iterable<Uint8Array> | AsyncIterable<unknown>) =>
  Readable.toWeb(Readable.from(pieces)) as ReadableStream<Uint8Array>

const DAMAGED = new Problem('stored-file-damaged', 'not what it was')

onEachSystem('work on a stored file', (current) => {
  async function scene() {
    const { document } = await aSignedDocument(current().db)
    const stored = { document, version: aVersion(document, 2) }
    const reported = async () => ({
      events: (await current().log()).filter(({ action }) => action === 'document.damaged'),
      alerts: (await listAlertRows(current())).filter(({ kind }) => kind === 'file-damaged'),
    })
    return { document, stored, reported }
  }

  test('a file that is not what it was is logged and told to the office, once', async () => {
    const { document, stored, reported } = await scene()
    for (const _ of [1, 2])
      await expect(reportDamage(current(), stored, Promise.reject(DAMAGED))).rejects.toMatchObject({
        code: 'stored-file-damaged',
        kind: document.folio,
      })
    const { events, alerts } = await reported()
    expect(events).toMatchObject([
      {
        ...{ result: 'refused', subject: { kind: 'document', id: document.id } },
        details: { version: 2, sha256: stored.version.sha256 },
      },
    ])
    expect(alerts).toHaveLength(1)
  })

  test.each([
    ['another refusal', new Problem('pdf-too-complex', 'too many objects')],
    [
      'an error that is no problem',
      Object.assign(new Error('gone'), { code: 'stored-file-damaged' }),
    ],
  ])('%s is no damage', async (_, error) => {
    const { stored, reported } = await scene()
    await expect(reportDamage(current(), stored, Promise.reject(error))).rejects.toBe(error)
    expect(await reported()).toEqual({ events: [], alerts: [] })
  })

  test('the result of work that succeeds is left as it is', async () => {
    const { stored, reported } = await scene()
    expect(await reportDamage(current(), stored, Promise.resolve(7))).toBe(7)
    expect(await reported()).toEqual({ events: [], alerts: [] })
  })

  test('bytes come through as they are, until the damage', async () => {
    const { stored, reported } = await scene()
    const pieces = [Uint8Array.of(1), Uint8Array.of(2)]
    const whole = reportingDamage(current(), stored, streamOf(pieces))
    expect(await Array.fromAsync(whole)).toEqual(pieces)
    expect((await reported()).events).toEqual([])

    async function* damaged() {
      yield pieces[0]
      throw DAMAGED
    }
    const got: unknown[] = []
    const broken = reportingDamage(current(), stored, streamOf(damaged()))
    const reading = async () => {
      for await (const piece of broken) got.push(piece)
    }
    await expect(reading()).rejects.toMatchObject({ code: 'stored-file-damaged' })
    expect(got).toEqual([pieces[0]])
    expect((await reported()).events).toHaveLength(1)
  })
})
