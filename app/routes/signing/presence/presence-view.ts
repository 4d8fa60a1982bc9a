import { PRESENCE_LIFE } from '#server/domain/signing/presence.ts'
import type { PresenceView } from '#server/features/presence/read-presence.ts'

/** The presence page as texts. */
export function presenceView({ documents, methods }: PresenceView) {
  return {
    methods,
    minutes: PRESENCE_LIFE / 60_000,
    /** Submitted with the forms: the proof covers the versions on the screen. */
    covered: documents.map(({ document }) => ({
      documentId: document.id as string,
      version: document.version,
    })),
    documents: documents.map(({ document, version }) => ({
      id: document.id as string,
      title: document.title,
      folio: document.folio as string,
      version: document.version,
      sha256: version.sha256 as string,
    })),
  }
}

export type ShownPresence = ReturnType<typeof presenceView>
