import { canonicalJson } from '#server/domain/canonical-json.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'
import { writtenCharacter } from '#server/domain/signing/session/requested-character.ts'
import type { Signable } from '#server/steps/signing/find-signable.ts'

/**
 * Names what a person reviewed before opening the session: everything that its sheets and mails will say. Another value later
 * means that something was changed meanwhile, in another tab or by another user.
 */
export function digestOfReview(
  { session, signers }: Pick<Ceremony, 'session' | 'signers'>,
  documents: readonly Pick<Signable, 'document' | 'version'>[],
): Sha256 {
  const { title, message, deadline, act } = session
  return sha256(
    canonicalJson({
      ...{ title, message, deadline },
      act: act && JSON.stringify(act),
      signers: signers.map((signer) => ({
        ...{ id: signer.id, place: signer.place, step: signer.step, userId: signer.userId },
        ...{ name: signer.name, rfc: signer.rfc, email: signer.email },
        character: writtenCharacter(signer.character),
      })),
      documents: documents.map(({ document, version }) => ({
        ...{ id: document.id, title: document.title, kind: document.kind },
        ...{ version: version.version, sha256: version.sha256 },
        publicLookup: document.publicLookup.state,
        stamp: document.stampChoice,
        instrument: document.instrument === null ? null : JSON.stringify(document.instrument),
      })),
    }),
  )
}
