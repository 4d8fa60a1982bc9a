import { leavesProtocol, type SessionAct } from '#server/domain/signing/act/act.ts'
import { electronicSentence } from '#server/words/electronic-acts.ts'

/** The act of a session as texts; null for none. */
export const actView = (act: SessionAct | null) =>
  act && {
    id: act.id as string,
    name: act.name,
    electronic: electronicSentence(act.electronic),
    leavesProtocol: leavesProtocol(act),
  }

export type ActView = NonNullable<ReturnType<typeof actView>>
