import { Outlet } from 'react-router'
import { ErrorPage } from '#app/ui/frame/error-page.tsx'
import { PublicFrame } from '#app/ui/frame/public-frame.tsx'
import type { Route } from './+types/guest-layout'

/** The frame of the guest pages, which load no script but their island. */
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
