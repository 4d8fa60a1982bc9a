import { z } from 'zod'
import { type Mail, placeOfMailBody } from '#server/domain/mail/mail.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'

const Body = z.object({ text: z.string(), html: z.string() })
export type Body = z.infer<typeof Body>

/** Unseals the body of a mail. @throws {Problem} `secret-unreadable`, or `not-found` when it was erased */
export function openBody({ vault }: Pick<System, 'vault'>, { id, body }: Mail): Body {
  switch (body.kind) {
    case 'clear':
      return { text: body.text, html: body.html }
    case 'sealed': {
      const plain = vault.open(body, placeOfMailBody(id))
      return Body.parse(JSON.parse(new TextDecoder().decode(plain)))
    }
    case 'forgotten':
      throw new Problem('not-found', `the body of mail ${id} was forgotten`)
  }
}
