import type { Route } from './+types/call'
import { answerCall } from './answer-call.ts'

/** Everything under /api: the table in `calls.ts` says which paths and methods there are. */
export const loader = (args: Route.LoaderArgs) => answerCall(args)
export const action = (args: Route.ActionArgs) => answerCall(args)
