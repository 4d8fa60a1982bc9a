import { Outlet } from 'react-router'
import { ErrorPage } from '#app/ui/frame/error-page.tsx'
import { PublicFrame } from '#app/ui/frame/public-frame.tsx'
import type { Route } from './+types/guest-layout'

/** What stands around the pages of somebody who came by a link: no script but their own island. */
export default function GuestLayout() {
  return (
    <PublicFrame isGuest>
      <Outlet />
    </PublicFrame>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <PublicFrame isGuest>
      <ErrorPage error={error} home="/sign/documents" />
    </PublicFrame>
  )
}
