CREATE TABLE "account_counts" (
	"org_id" uuid NOT NULL,
	"amount" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "asset_counts" (
	"org_id" uuid NOT NULL,
	"platform_id" integer NOT NULL,
	"amount" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "asset_node_counts" (
	"node_id" uuid NOT NULL,
	"amount" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operate_log_counts" (
	"org_id" uuid NOT NULL,
	"amount" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "command_counts" (
	"org_id" uuid NOT NULL,
	"amount" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "session_counts" (
	"org_id" uuid NOT NULL,
	"amount" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "account_counts_idx" ON "account_counts" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "asset_counts_idx" ON "asset_counts" USING btree ("org_id","platform_id");--> statement-breakpoint
CREATE INDEX "asset_node_counts_idx" ON "asset_node_counts" USING btree ("node_id");--> statement-breakpoint
CREATE INDEX "operate_log_counts_idx" ON "operate_log_counts" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "command_counts_idx" ON "command_counts" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "session_counts_idx" ON "session_counts" USING btree ("org_id");--> statement-breakpoint
-- For any table and that of its counts (kernel/counts): the table of the counts and the columns they are kept by are the arguments of the
-- triggers. What a statement changed is inserted, and nothing is updated, so that nobody waits.
CREATE FUNCTION count_rows() RETURNS trigger LANGUAGE plpgsql AS $$
declare
	counts constant text := tg_argv[0];
	columns constant text := tg_argv[1];
	changed constant text := case tg_op
		when 'INSERT' then format('select %s, 1 as amount from new_rows', columns)
		when 'DELETE' then format('select %s, -1 as amount from old_rows', columns)
		when 'UPDATE' then format('select %1$s, 1 as amount from new_rows union all select %1$s, -1 from old_rows', columns)
	end;
begin
	if tg_op = 'TRUNCATE' then
		execute format('truncate %I', counts);
	else
		execute format('insert into %1$I (%2$s, amount) select %2$s, sum(amount) from (%3$s) as changed group by %2$s having sum(amount) <> 0',
			counts, columns, changed);
	end if;
	return null;
end
$$;--> statement-breakpoint
CREATE TRIGGER "assets_counted_in" AFTER INSERT ON "assets" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('asset_counts', 'org_id, platform_id');--> statement-breakpoint
CREATE TRIGGER "assets_counted_on" AFTER UPDATE ON "assets" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('asset_counts', 'org_id, platform_id');--> statement-breakpoint
CREATE TRIGGER "assets_counted_out" AFTER DELETE ON "assets" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('asset_counts', 'org_id, platform_id');--> statement-breakpoint
CREATE TRIGGER "assets_counted_none" AFTER TRUNCATE ON "assets" FOR EACH STATEMENT EXECUTE FUNCTION count_rows('asset_counts', 'org_id, platform_id');--> statement-breakpoint
INSERT INTO "asset_counts" (org_id, platform_id, amount) SELECT org_id, platform_id, count(*) FROM "assets" GROUP BY org_id, platform_id;--> statement-breakpoint
CREATE TRIGGER "asset_nodes_counted_in" AFTER INSERT ON "asset_nodes" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('asset_node_counts', 'node_id');--> statement-breakpoint
CREATE TRIGGER "asset_nodes_counted_on" AFTER UPDATE ON "asset_nodes" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('asset_node_counts', 'node_id');--> statement-breakpoint
CREATE TRIGGER "asset_nodes_counted_out" AFTER DELETE ON "asset_nodes" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('asset_node_counts', 'node_id');--> statement-breakpoint
CREATE TRIGGER "asset_nodes_counted_none" AFTER TRUNCATE ON "asset_nodes" FOR EACH STATEMENT EXECUTE FUNCTION count_rows('asset_node_counts', 'node_id');--> statement-breakpoint
INSERT INTO "asset_node_counts" (node_id, amount) SELECT node_id, count(*) FROM "asset_nodes" GROUP BY node_id;--> statement-breakpoint
CREATE TRIGGER "accounts_counted_in" AFTER INSERT ON "accounts" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('account_counts', 'org_id');--> statement-breakpoint
CREATE TRIGGER "accounts_counted_on" AFTER UPDATE ON "accounts" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('account_counts', 'org_id');--> statement-breakpoint
CREATE TRIGGER "accounts_counted_out" AFTER DELETE ON "accounts" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('account_counts', 'org_id');--> statement-breakpoint
CREATE TRIGGER "accounts_counted_none" AFTER TRUNCATE ON "accounts" FOR EACH STATEMENT EXECUTE FUNCTION count_rows('account_counts', 'org_id');--> statement-breakpoint
INSERT INTO "account_counts" (org_id, amount) SELECT org_id, count(*) FROM "accounts" GROUP BY org_id;--> statement-breakpoint
CREATE TRIGGER "sessions_counted_in" AFTER INSERT ON "sessions" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('session_counts', 'org_id');--> statement-breakpoint
CREATE TRIGGER "sessions_counted_on" AFTER UPDATE ON "sessions" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('session_counts', 'org_id');--> statement-breakpoint
CREATE TRIGGER "sessions_counted_out" AFTER DELETE ON "sessions" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('session_counts', 'org_id');--> statement-breakpoint
CREATE TRIGGER "sessions_counted_none" AFTER TRUNCATE ON "sessions" FOR EACH STATEMENT EXECUTE FUNCTION count_rows('session_counts', 'org_id');--> statement-breakpoint
INSERT INTO "session_counts" (org_id, amount) SELECT org_id, count(*) FROM "sessions" GROUP BY org_id;--> statement-breakpoint
CREATE TRIGGER "commands_counted_in" AFTER INSERT ON "commands" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('command_counts', 'org_id');--> statement-breakpoint
CREATE TRIGGER "commands_counted_on" AFTER UPDATE ON "commands" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('command_counts', 'org_id');--> statement-breakpoint
CREATE TRIGGER "commands_counted_out" AFTER DELETE ON "commands" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('command_counts', 'org_id');--> statement-breakpoint
CREATE TRIGGER "commands_counted_none" AFTER TRUNCATE ON "commands" FOR EACH STATEMENT EXECUTE FUNCTION count_rows('command_counts', 'org_id');--> statement-breakpoint
INSERT INTO "command_counts" (org_id, amount) SELECT org_id, count(*) FROM "commands" GROUP BY org_id;--> statement-breakpoint
CREATE TRIGGER "operate_logs_counted_in" AFTER INSERT ON "operate_logs" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('operate_log_counts', 'org_id');--> statement-breakpoint
CREATE TRIGGER "operate_logs_counted_on" AFTER UPDATE ON "operate_logs" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('operate_log_counts', 'org_id');--> statement-breakpoint
CREATE TRIGGER "operate_logs_counted_out" AFTER DELETE ON "operate_logs" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_rows('operate_log_counts', 'org_id');--> statement-breakpoint
CREATE TRIGGER "operate_logs_counted_none" AFTER TRUNCATE ON "operate_logs" FOR EACH STATEMENT EXECUTE FUNCTION count_rows('operate_log_counts', 'org_id');--> statement-breakpoint
INSERT INTO "operate_log_counts" (org_id, amount) SELECT org_id, count(*) FROM "operate_logs" GROUP BY org_id;
