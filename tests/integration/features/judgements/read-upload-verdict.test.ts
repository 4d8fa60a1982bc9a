import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { DocumentId } from '#server/domain/ids.ts'
import { readUploadVerdict } from '#server/features/documents/read-upload-verdict.ts'
import { stranger } from '#tests/support/builders.ts'
import { aGuest, aGuestInvitation } from '#tests/support/office/guests.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'

onEachSigningSystem('the verdict about an uploaded file', (system) => {
  test('is read by staff and by a guest who signs the document, and the log has it', async () => {
    const invitation = await aGuestInvitation(system())
    const { person, drafts } = invitation
    const { guest } = await aGuest(system(), invitation)
    const input = { documentId: drafts[0]!.id }
    for (const reader of [person, guest]) {
      const { report, uploaded } = await readUploadVerdict(system(), reader, input)
      expect(report.verdict).toBe('NO_SIGNATURE')
      expect((await system().log()).at(-1)).toMatchObject({
        action: 'document.viewed',
        subject: { kind: 'document', id: input.documentId },
        details: { version: uploaded.version },
      })
    }
  })

  test('is refused for documents of other sessions and documents that do not exist', async () => {
    const invitation = await aGuestInvitation(system())
    const other = await aGuestInvitation(system(), undefined, { beside: invitation })
    const { guest } = await aGuest(system(), invitation)
    const refusalOf = (documentId: DocumentId, actor: Parameters<typeof readUploadVerdict>[1]) =>
      expect(readUploadVerdict(system(), actor, { documentId })).rejects
    await refusalOf(other.drafts[0]!.id, guest).toMatchObject({ code: 'not-found' })
    const missing = DocumentId.parse(randomUUID())
    await refusalOf(missing, guest).toMatchObject({ code: 'not-found' })
    await refusalOf(missing, invitation.person).toMatchObject({ code: 'not-found' })
    await refusalOf(other.drafts[0]!.id, stranger()).toMatchObject({ code: 'not-signed-in' })
  })
})
