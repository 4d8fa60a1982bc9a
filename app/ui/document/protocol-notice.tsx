import { Notice } from '#app/ui/feedback/notice.tsx'
import { NOT_IN_PROTOCOL } from '#server/words/acts.ts'

/** On each page of a session whose act may not be signed electronically, or it is not known. */
export const ProtocolNotice = ({ leavesProtocol }: { leavesProtocol: boolean }) =>
  leavesProtocol ? (
    <Notice tone="wait" isLive={false}>
      {`${NOT_IN_PROTOCOL}.`}
    </Notice>
  ) : null
