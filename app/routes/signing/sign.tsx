import type { Route } from './+types/sign'
import { SignFrame } from './sign-frame.tsx'
import { loadSigning } from './sign-view.ts'
import { SignWays } from './sign-ways.tsx'

export const handle = { label: 'Firmar documento' }

export const meta: Route.MetaFunction = () => [{ title: 'Firmar documento · Rúbrica' }]

export const loader = ({ params, context }: Route.LoaderArgs) => loadSigning(params, context)

export default function Sign({ loaderData: view }: Route.ComponentProps) {
  return (
    <SignFrame view={view}>
      <SignWays view={view} />
    </SignFrame>
  )
}
