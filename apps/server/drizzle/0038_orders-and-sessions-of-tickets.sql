CREATE INDEX "accounts_updated_idx" ON "accounts" USING btree ("org_id","date_updated","id");--> statement-breakpoint
CREATE INDEX "accounts_usernames_idx" ON "accounts" USING btree ("org_id","username");--> statement-breakpoint
CREATE INDEX "ticket_sessions_session_idx" ON "ticket_sessions" USING btree ("session_id");