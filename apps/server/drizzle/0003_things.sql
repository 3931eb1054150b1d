CREATE TABLE "account_histories" (
	"history_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "account_histories_history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"id" uuid NOT NULL,
	"secret" text,
	"secret_type" text NOT NULL,
	"version" integer NOT NULL,
	"history_user" uuid,
	"history_date" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"username" text DEFAULT '' NOT NULL,
	"secret_type" text DEFAULT 'password' NOT NULL,
	"secret" text,
	"spec_info" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"privileged" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"su_from_id" uuid,
	"asset_id" uuid NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"source" text DEFAULT 'local' NOT NULL,
	"connectivity" text DEFAULT '-' NOT NULL,
	"date_verified" timestamp with time zone,
	"comment" text DEFAULT '' NOT NULL,
	"org_id" uuid NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_username_key" UNIQUE("asset_id","username","secret_type"),
	CONSTRAINT "accounts_name_key" UNIQUE("asset_id","name")
);
--> statement-breakpoint
CREATE TABLE "asset_labels" (
	"asset_id" uuid NOT NULL,
	"label_id" uuid NOT NULL,
	CONSTRAINT "asset_labels_asset_id_label_id_pk" PRIMARY KEY("asset_id","label_id")
);
--> statement-breakpoint
CREATE TABLE "asset_nodes" (
	"asset_id" uuid NOT NULL,
	"node_id" uuid NOT NULL,
	CONSTRAINT "asset_nodes_asset_id_node_id_pk" PRIMARY KEY("asset_id","node_id")
);
--> statement-breakpoint
CREATE TABLE "assets" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"platform_id" integer NOT NULL,
	"domain_id" uuid,
	"protocols" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"info" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"connectivity" text DEFAULT '-' NOT NULL,
	"date_verified" timestamp with time zone,
	"is_active" boolean DEFAULT true NOT NULL,
	"db_name" text DEFAULT '' NOT NULL,
	"use_ssl" boolean DEFAULT false NOT NULL,
	"ca_cert" text,
	"client_cert" text,
	"client_key" text,
	"allow_invalid_cert" boolean DEFAULT false NOT NULL,
	"autofill" text DEFAULT 'basic' NOT NULL,
	"username_selector" text DEFAULT 'name=username' NOT NULL,
	"password_selector" text DEFAULT 'name=password' NOT NULL,
	"submit_selector" text DEFAULT 'id=login_button' NOT NULL,
	"script" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"org_id" uuid NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "assets_name_key" UNIQUE("org_id","name")
);
--> statement-breakpoint
CREATE TABLE "domains" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"org_id" uuid NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "domains_name_key" UNIQUE("org_id","name")
);
--> statement-breakpoint
CREATE TABLE "favorite_assets" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"asset" uuid NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "favorite_assets_key" UNIQUE("user_id","asset")
);
--> statement-breakpoint
CREATE TABLE "labels" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"value" text NOT NULL,
	"category" text DEFAULT 'U' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"org_id" uuid NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "labels_name_value_key" UNIQUE("org_id","name","value")
);
--> statement-breakpoint
CREATE TABLE "node_ancestors" (
	"ancestor_id" uuid NOT NULL,
	"node_id" uuid NOT NULL,
	CONSTRAINT "node_ancestors_ancestor_id_node_id_pk" PRIMARY KEY("ancestor_id","node_id")
);
--> statement-breakpoint
CREATE TABLE "nodes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text collate "C" NOT NULL,
	"parent_key" text collate "C" NOT NULL,
	"value" text NOT NULL,
	"full_value" text NOT NULL,
	"child_mark" integer DEFAULT 0 NOT NULL,
	"org_id" uuid NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "nodes_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "platforms" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "platforms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1001 CACHE 1),
	"name" text NOT NULL,
	"internal" boolean DEFAULT false NOT NULL,
	"category" text NOT NULL,
	"type" text NOT NULL,
	"charset" text NOT NULL,
	"protocols" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"domain_enabled" boolean DEFAULT true NOT NULL,
	"su_enabled" boolean DEFAULT false NOT NULL,
	"su_method" text,
	"automation" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "platforms_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "asset_permissions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"accounts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"actions" integer NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"date_start" timestamp with time zone NOT NULL,
	"date_expired" timestamp with time zone NOT NULL,
	"from_ticket" boolean DEFAULT false NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"org_id" uuid NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "asset_permissions_name_key" UNIQUE("org_id","name")
);
--> statement-breakpoint
CREATE TABLE "asset_permission_assets" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "asset_permission_assets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"assetpermission" uuid NOT NULL,
	"asset" uuid NOT NULL,
	CONSTRAINT "asset_permission_assets_key" UNIQUE("assetpermission","asset")
);
--> statement-breakpoint
CREATE TABLE "asset_permission_nodes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "asset_permission_nodes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"assetpermission" uuid NOT NULL,
	"node" uuid NOT NULL,
	CONSTRAINT "asset_permission_nodes_key" UNIQUE("assetpermission","node")
);
--> statement-breakpoint
CREATE TABLE "asset_permission_user_groups" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "asset_permission_user_groups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"assetpermission" uuid NOT NULL,
	"usergroup" uuid NOT NULL,
	CONSTRAINT "asset_permission_user_groups_key" UNIQUE("assetpermission","usergroup")
);
--> statement-breakpoint
CREATE TABLE "asset_permission_users" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "asset_permission_users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"assetpermission" uuid NOT NULL,
	"user" uuid NOT NULL,
	CONSTRAINT "asset_permission_users_key" UNIQUE("assetpermission","user")
);
--> statement-breakpoint
CREATE TABLE "commands" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user" text NOT NULL,
	"asset" text NOT NULL,
	"account" text NOT NULL,
	"session" uuid NOT NULL,
	"input" text NOT NULL,
	"output" text DEFAULT '' NOT NULL,
	"risk_level" integer DEFAULT 0 NOT NULL,
	"org_id" uuid NOT NULL,
	"timestamp" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recording_chunks" (
	"session_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"start_ms" integer NOT NULL,
	"end_ms" integer NOT NULL,
	"size" integer NOT NULL,
	"sha256" text NOT NULL,
	"is_keyframe" boolean DEFAULT false NOT NULL,
	CONSTRAINT "recording_chunks_session_id_number_pk" PRIMARY KEY("session_id","number")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user" text NOT NULL,
	"asset" text NOT NULL,
	"account" text NOT NULL,
	"user_id" text DEFAULT '' NOT NULL,
	"asset_id" text DEFAULT '' NOT NULL,
	"account_id" text NOT NULL,
	"protocol" text NOT NULL,
	"type" text DEFAULT 'normal' NOT NULL,
	"login_from" text DEFAULT 'ST' NOT NULL,
	"remote_addr" text,
	"comment" text,
	"terminal_id" uuid,
	"boot_id" text,
	"is_success" boolean DEFAULT true NOT NULL,
	"is_finished" boolean DEFAULT false NOT NULL,
	"has_replay" boolean DEFAULT false NOT NULL,
	"has_command" boolean DEFAULT false NOT NULL,
	"end_reason" text,
	"end_detail" text,
	"org_id" uuid NOT NULL,
	"date_start" timestamp with time zone DEFAULT now() NOT NULL,
	"date_end" timestamp with time zone,
	"replay_version" integer,
	"recording_chunks" integer,
	"recording_ms" integer
);
--> statement-breakpoint
CREATE TABLE "terminal_statuses" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"terminal" uuid NOT NULL,
	"sessions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"session_online" integer DEFAULT 0 NOT NULL,
	"cpu_load" double precision DEFAULT 0 NOT NULL,
	"memory_used" double precision DEFAULT 0 NOT NULL,
	"disk_used" double precision DEFAULT 0 NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "terminal_tasks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"args" text NOT NULL,
	"kwargs" jsonb NOT NULL,
	"terminal" uuid NOT NULL,
	"is_finished" boolean DEFAULT false NOT NULL,
	"date_finished" timestamp with time zone,
	"comment" text DEFAULT '' NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "terminals" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"remote_addr" text DEFAULT '' NOT NULL,
	"command_storage" text DEFAULT 'default' NOT NULL,
	"replay_storage" text DEFAULT 'default' NOT NULL,
	"user_id" uuid,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"boot_id" text,
	"http" text,
	"session_online" integer DEFAULT 0 NOT NULL,
	"cpu_load" double precision,
	"memory_used" double precision,
	"disk_used" double precision,
	"date_reported" timestamp with time zone,
	"comment" text DEFAULT '' NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_su_from_id_accounts_id_fk" FOREIGN KEY ("su_from_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_labels" ADD CONSTRAINT "asset_labels_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_labels" ADD CONSTRAINT "asset_labels_label_id_labels_id_fk" FOREIGN KEY ("label_id") REFERENCES "public"."labels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_nodes" ADD CONSTRAINT "asset_nodes_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_nodes" ADD CONSTRAINT "asset_nodes_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favorite_assets" ADD CONSTRAINT "favorite_assets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favorite_assets" ADD CONSTRAINT "favorite_assets_asset_assets_id_fk" FOREIGN KEY ("asset") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "labels" ADD CONSTRAINT "labels_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "node_ancestors" ADD CONSTRAINT "node_ancestors_ancestor_id_nodes_id_fk" FOREIGN KEY ("ancestor_id") REFERENCES "public"."nodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "node_ancestors" ADD CONSTRAINT "node_ancestors_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nodes" ADD CONSTRAINT "nodes_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_permissions" ADD CONSTRAINT "asset_permissions_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_permission_assets" ADD CONSTRAINT "asset_permission_assets_assetpermission_asset_permissions_id_fk" FOREIGN KEY ("assetpermission") REFERENCES "public"."asset_permissions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_permission_assets" ADD CONSTRAINT "asset_permission_assets_asset_assets_id_fk" FOREIGN KEY ("asset") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_permission_nodes" ADD CONSTRAINT "asset_permission_nodes_assetpermission_asset_permissions_id_fk" FOREIGN KEY ("assetpermission") REFERENCES "public"."asset_permissions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_permission_nodes" ADD CONSTRAINT "asset_permission_nodes_node_nodes_id_fk" FOREIGN KEY ("node") REFERENCES "public"."nodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_permission_user_groups" ADD CONSTRAINT "asset_permission_user_groups_assetpermission_asset_permissions_id_fk" FOREIGN KEY ("assetpermission") REFERENCES "public"."asset_permissions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_permission_user_groups" ADD CONSTRAINT "asset_permission_user_groups_usergroup_user_groups_id_fk" FOREIGN KEY ("usergroup") REFERENCES "public"."user_groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_permission_users" ADD CONSTRAINT "asset_permission_users_assetpermission_asset_permissions_id_fk" FOREIGN KEY ("assetpermission") REFERENCES "public"."asset_permissions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_permission_users" ADD CONSTRAINT "asset_permission_users_user_users_id_fk" FOREIGN KEY ("user") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recording_chunks" ADD CONSTRAINT "recording_chunks_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_terminal_id_terminals_id_fk" FOREIGN KEY ("terminal_id") REFERENCES "public"."terminals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terminal_statuses" ADD CONSTRAINT "terminal_statuses_terminal_terminals_id_fk" FOREIGN KEY ("terminal") REFERENCES "public"."terminals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terminal_tasks" ADD CONSTRAINT "terminal_tasks_terminal_terminals_id_fk" FOREIGN KEY ("terminal") REFERENCES "public"."terminals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terminals" ADD CONSTRAINT "terminals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_histories_idx" ON "account_histories" USING btree ("id","history_id");--> statement-breakpoint
CREATE INDEX "accounts_order_idx" ON "accounts" USING btree ("org_id","name","id");--> statement-breakpoint
CREATE INDEX "accounts_username_idx" ON "accounts" USING btree ("username");--> statement-breakpoint
CREATE INDEX "accounts_su_from_idx" ON "accounts" USING btree ("su_from_id");--> statement-breakpoint
CREATE INDEX "accounts_name_trgm" ON "accounts" USING gin ("name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "accounts_username_trgm" ON "accounts" USING gin ("username" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "asset_labels_label_idx" ON "asset_labels" USING btree ("label_id");--> statement-breakpoint
CREATE INDEX "asset_nodes_node_idx" ON "asset_nodes" USING btree ("node_id","asset_id");--> statement-breakpoint
CREATE INDEX "assets_order_idx" ON "assets" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "assets_created_idx" ON "assets" USING btree ("org_id","date_created");--> statement-breakpoint
CREATE INDEX "assets_address_idx" ON "assets" USING btree ("address");--> statement-breakpoint
CREATE INDEX "assets_platform_idx" ON "assets" USING btree ("platform_id");--> statement-breakpoint
CREATE INDEX "assets_domain_idx" ON "assets" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "assets_name_trgm" ON "assets" USING gin ("name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "assets_address_trgm" ON "assets" USING gin ("address" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "favorite_assets_asset_idx" ON "favorite_assets" USING btree ("asset");--> statement-breakpoint
CREATE INDEX "node_ancestors_node_idx" ON "node_ancestors" USING btree ("node_id","ancestor_id");--> statement-breakpoint
CREATE INDEX "nodes_parent_idx" ON "nodes" USING btree ("parent_key","value");--> statement-breakpoint
CREATE UNIQUE INDEX "nodes_root_key" ON "nodes" USING btree ("org_id") WHERE "nodes"."parent_key" = '';--> statement-breakpoint
CREATE INDEX "nodes_org_idx" ON "nodes" USING btree ("org_id","full_value");--> statement-breakpoint
CREATE INDEX "nodes_full_value_trgm" ON "nodes" USING gin ("full_value" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "platforms_category_idx" ON "platforms" USING btree ("category","type");--> statement-breakpoint
CREATE INDEX "asset_permissions_expired_idx" ON "asset_permissions" USING btree ("date_expired");--> statement-breakpoint
CREATE INDEX "asset_permissions_name_trgm" ON "asset_permissions" USING gin ("name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "asset_permission_assets_idx" ON "asset_permission_assets" USING btree ("asset","assetpermission");--> statement-breakpoint
CREATE INDEX "asset_permission_nodes_idx" ON "asset_permission_nodes" USING btree ("node","assetpermission");--> statement-breakpoint
CREATE INDEX "asset_permission_user_groups_idx" ON "asset_permission_user_groups" USING btree ("usergroup","assetpermission");--> statement-breakpoint
CREATE INDEX "asset_permission_users_idx" ON "asset_permission_users" USING btree ("user","assetpermission");--> statement-breakpoint
CREATE INDEX "commands_org_idx" ON "commands" USING btree ("org_id","timestamp","id");--> statement-breakpoint
CREATE INDEX "commands_time_idx" ON "commands" USING btree ("timestamp","id");--> statement-breakpoint
CREATE INDEX "commands_session_idx" ON "commands" USING btree ("session","timestamp");--> statement-breakpoint
CREATE INDEX "commands_input_trgm" ON "commands" USING gin ("input" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "commands_user_idx" ON "commands" USING btree ("user" text_pattern_ops,"timestamp");--> statement-breakpoint
CREATE INDEX "commands_asset_idx" ON "commands" USING btree ("asset","timestamp");--> statement-breakpoint
CREATE INDEX "sessions_org_idx" ON "sessions" USING btree ("org_id","date_start","id");--> statement-breakpoint
CREATE INDEX "sessions_start_idx" ON "sessions" USING btree ("date_start","id");--> statement-breakpoint
CREATE INDEX "sessions_user_idx" ON "sessions" USING btree ("user_id","date_start");--> statement-breakpoint
CREATE INDEX "sessions_asset_idx" ON "sessions" USING btree ("asset_id","date_start");--> statement-breakpoint
CREATE INDEX "sessions_running_idx" ON "sessions" USING btree ("terminal_id") WHERE not "sessions"."is_finished";--> statement-breakpoint
CREATE INDEX "sessions_user_trgm" ON "sessions" USING gin ("user" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "sessions_asset_trgm" ON "sessions" USING gin ("asset" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "sessions_account_trgm" ON "sessions" USING gin ("account" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "sessions_remote_addr_trgm" ON "sessions" USING gin ("remote_addr" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "terminal_statuses_idx" ON "terminal_statuses" USING btree ("terminal","date_created");--> statement-breakpoint
CREATE INDEX "terminal_tasks_open_idx" ON "terminal_tasks" USING btree ("terminal","date_created") WHERE not "terminal_tasks"."is_finished";--> statement-breakpoint
CREATE INDEX "terminals_user_idx" ON "terminals" USING btree ("user_id");