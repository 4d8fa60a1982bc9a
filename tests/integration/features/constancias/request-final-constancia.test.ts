import { expect, test } from 'vitest'
import { findConstancia, replaceConstancia } from '#server/db/trust/constancias.ts'
import {
  type Final,
  requestFinalConstancia,
} from '#server/steps/signing/request-final-constancia.ts'
import { aSignedDocument, aVersion } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('constancia over the final file', (current) => {
  const request = async (
    { document }: Pick<Awaited<ReturnType<typeof aSignedDocument>>, 'document'>,
    final: Final,
  ) => {
    const { db, clock } = current()
    const { sha256 } = aVersion(document, document.version)
    await db.transaction((trx) => requestFinalConstancia(trx, document, sha256, final, clock.now()))
    return await findConstancia(db, document.id, document.version)
  }

  test.each([
    { timestampPolicy: 'none', final: 'signed', isRequested: true },
    { timestampPolicy: 'none', final: 'archived', isRequested: false },
    { timestampPolicy: 'later', final: 'signed', isRequested: false },
    { timestampPolicy: 'later', final: 'archived', isRequested: true },
  ] as const)(
    'office with timestamps $timestampPolicy, file $final: requested $isRequested',
    async ({ timestampPolicy, final, isRequested }) => {
      const changes = { constanciaPolicy: 'at-completion', timestampPolicy }
      const scene = await aSignedDocument(current().db, changes)
      const constancia = await request(scene, final)
      const { sha256 } = aVersion(scene.document, 2)
      if (isRequested)
        expect(constancia).toMatchObject({
          state: 'pending',
          requestedBy: null,
          version: 2,
          sha256,
        })
      else expect(constancia).toBeUndefined()
    },
  )

  test('is not requested by an office that wants none', async () => {
    const changes = { constanciaPolicy: 'none', timestampPolicy: 'none' }
    expect(await request(await aSignedDocument(current().db, changes), 'signed')).toBeUndefined()
  })

  test('is requested once, also after the provider refused it', async () => {
    const changes = { constanciaPolicy: 'at-completion', timestampPolicy: 'none' }
    const scene = await aSignedDocument(current().db, changes)
    const first = await request(scene, 'signed')
    if (!first) throw new Error('it was requested')
    const failed = { ...first, state: 'failed', attempts: 1 } as const
    await current().db.transaction((trx) => replaceConstancia(trx, first, failed))
    expect(await request(scene, 'signed')).toMatchObject({ id: first.id, state: 'failed' })
  })
})
