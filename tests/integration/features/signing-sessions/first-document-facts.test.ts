import { expect, test } from 'vitest'
import { firstDocumentFacts } from '#server/steps/signing/first-document-facts.ts'
import { onEachDatabase } from '#tests/support/database.ts'
import { storedCeremony } from '#tests/support/office/stored-ceremony.ts'

onEachDatabase('what a mail may say of a session', (current) => {
  test('folio and kind of its first document, and no title', async () => {
    const { db } = current()
    const { ceremony, document } = await storedCeremony(db)
    const facts = await db.transaction((trx) => firstDocumentFacts(trx, ceremony))
    expect(facts).toEqual({ folio: document.folio, documentKind: document.kind })
  })

  test('without documents: nothing', async () => {
    const { db } = current()
    const { ceremony } = await storedCeremony(db)
    const empty = { ...ceremony, documents: [] }
    expect(await db.transaction((trx) => firstDocumentFacts(trx, empty))).toEqual({})
  })
})
