DROP INDEX "login_logs_city_trgm";--> statement-breakpoint
CREATE INDEX "login_logs_reason_idx" ON "login_logs" USING btree ("reason");--> statement-breakpoint
CREATE INDEX "login_logs_backend_idx" ON "login_logs" USING btree ("backend");--> statement-breakpoint
CREATE INDEX "login_logs_city_idx" ON "login_logs" USING btree ("city");--> statement-breakpoint
CREATE INDEX "operate_logs_action_idx" ON "operate_logs" USING btree ("action");--> statement-breakpoint
CREATE INDEX "operate_logs_type_idx" ON "operate_logs" USING btree ("resource_type");--> statement-breakpoint
CREATE INDEX "commands_user_trgm" ON "commands" USING gin ("user" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "commands_asset_trgm" ON "commands" USING gin ("asset" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "commands_account_trgm" ON "commands" USING gin ("account" gin_trgm_ops);