/** Why a session ended. In a file of its own, so that who only shows them loads no parser. */
export const endReasons = [
  'client_left',
  'target_closed',
  'target_failed',
  'target_lost',
  'killed',
  'idle',
  'max_time',
  'permission_expired',
  'command_refused',
  'user_disabled',
  'user_deleted',
  'user_removed',
  'recording_failed',
  'gateway_stopped',
  'gateway_lost',
  'internal_error',
] as const
