CREATE INDEX "executions_user_trgm" ON "executions" USING gin ("user" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "executions_kind_trgm" ON "executions" USING gin ("kind" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "assets_comment_trgm" ON "assets" USING gin ("comment" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "password_change_logs_user_trgm" ON "password_change_logs" USING gin ("user" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "password_change_logs_change_by_trgm" ON "password_change_logs" USING gin ("change_by" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "password_change_logs_remote_addr_trgm" ON "password_change_logs" USING gin ("remote_addr" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "host_keys_address_trgm" ON "host_keys" USING gin ("address" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "host_keys_fingerprint_trgm" ON "host_keys" USING gin ("fingerprint" gin_trgm_ops);